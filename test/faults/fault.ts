import { setTimeout as delay } from 'node:timers/promises'

/** A fault that is caused on purpose, and a check of the promises. */
export interface Fault {
  readonly name: string
  /**
   * Causes the fault in a directory of its own, for `seconds` if the fault has a duration.
   * @returns the outcome in a few words
   * @throws when a promise does not hold
   */
  run(directory: string, seconds: number, circumstances: Circumstances): Promise<string>
  /** Returns the reason why the fault is impossible on this machine; undefined if it is possible. */
  needs?(): string | undefined
  /** Whether the fault mostly waits, so that several such faults can run at the same time. */
  readonly waits?: boolean
  /** Duration of a full run. */
  readonly seconds: number
  /** Duration with `--quick`; by default one second, or less if the full run is shorter. */
  readonly quickSeconds?: number
}

/** The circumstances in which a fault runs. */
export interface Circumstances {
  /** Seed of all random choices. */
  readonly seed: number
  /** Reports the progress. */
  progress(says: string): void
}

const SHORT_SECONDS = 1
/** No expected event takes this long. */
const HOPELESS_MS = 120_000

export const quickSeconds = (fault: Fault): number =>
  Math.min(fault.quickSeconds ?? SHORT_SECONDS, fault.seconds)

/**
 * Sends requests repeatedly, `clients` at a time, until it is stopped; then returns the numbers of good and failed
 * answers.
 */
export function startRequests(url: string, clients = 8) {
  let stopped = false
  let good = 0
  let failed = 0
  const loops = Array.from({ length: clients }, async () => {
    while (!stopped) {
      try {
        const response = await fetch(url)
        await response.arrayBuffer()
        if (response.ok) good++
        else failed++
      } catch {
        failed++
        // The server has gone; without a pause this would be a busy loop.
        await delay(10)
      }
    }
  })
  return {
    answers: () => good,
    async stop() {
      stopped = true
      await Promise.all(loops)
      return { good, failed }
    },
  }
}

/**
 * Resolves once `condition` holds. It is checked every few milliseconds.
 * @throws when it does not hold within a time that is enough on any busy machine
 */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const endsAtMs = performance.now() + HOPELESS_MS
  while (!(await condition())) {
    if (performance.now() > endsAtMs)
      throw new Error(`in ${HOPELESS_MS / 1000} s it never held: ${condition}`)
    await delay(5)
  }
}
