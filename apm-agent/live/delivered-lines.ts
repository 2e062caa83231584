import type { Counts } from '../../lib/processes/protocol.ts'

const LIMIT_MS = 2000

/** Asks logger-transport how many lines it has delivered. */
export class DeliveredLines {
  readonly #url: string
  #asking = false
  /** As it last said; null before. */
  count: number | null = null

  /** @param url base URL of logger-transport */
  constructor(url: string) {
    this.#url = `${url}/counts`
  }

  /** Asks, unless it is still being asked; what it says is known a moment later. */
  async refresh(): Promise<void> {
    if (this.#asking) return
    this.#asking = true
    try {
      const answer = await fetch(this.#url, { signal: AbortSignal.timeout(LIMIT_MS) })
      const { logLines } = (await answer.json()) as Counts
      this.count = logLines?.delivered ?? null
    } catch {
      // It is being restarted, or is gone: what it said last stands.
    }
    this.#asking = false
  }
}
