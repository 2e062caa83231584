import type { Counts } from '../../lib/processes/protocol.ts'

const LIMIT_MS = 2000

/** Reads from logger-transport how many lines it has delivered. */
export class DeliveredLines {
  readonly #url: string
  #asking = false
  /** The last count of the logger-transport that runs now. */
  #last = 0
  /** Lines that were delivered, however often logger-transport started again; null while unknown. */
  count: number | null = null

  /** @param url base URL of logger-transport */
  constructor(url: string) {
    this.#url = `${url}/counts`
  }

  /** Requests the count, unless a request is already running. `count` changes when the answer arrives. */
  async refresh(): Promise<void> {
    if (this.#asking) return
    this.#asking = true
    try {
      const answer = await fetch(this.#url, { signal: AbortSignal.timeout(LIMIT_MS) })
      const { logLines } = (await answer.json()) as Counts
      const delivered = logLines?.delivered ?? this.#last
      // One that starts again counts from zero.
      this.count = (this.count ?? 0) + (delivered < this.#last ? delivered : delivered - this.#last)
      this.#last = delivered
    } catch (error) {
      // logger-transport is being restarted or has ended: the last count stays. Where none listens yet, it will count from zero.
      // One that does not answer in time may have delivered lines already.
      if ((error as Error).name !== 'TimeoutError') this.count ??= 0
    }
    this.#asking = false
  }
}
