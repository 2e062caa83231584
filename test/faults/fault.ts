import { setTimeout as delay } from 'node:timers/promises'

/** Something that goes wrong on purpose, and what then must hold. */
export interface Fault {
  readonly name: string
  /**
   * Makes it go wrong, for `seconds` where that has a meaning, in a directory of its own.
   * @returns the outcome in a few words
   * @throws when what must hold does not
   */
  run(directory: string, seconds: number, circumstances: Circumstances): Promise<string>
  /** Says what is missing here to make it go wrong; undefined when nothing is. */
  needs?(): string | undefined
  /** How long it lasts in full. */
  readonly seconds: number
  /** How long it lasts with `--quick`; a second, or less where it is less in full. */
  readonly quickSeconds?: number
}

/** What a fault may make use of. */
export interface Circumstances {
  /** Decides whatever is drawn at random. */
  readonly seed: number
  /** Says how far it is. */
  progress(says: string): void
}

const SHORT_SECONDS = 1
/** Longer than anything takes that is going to happen. */
const HOPELESS_MS = 120_000

export const quickSeconds = (fault: Fault): number =>
  Math.min(fault.quickSeconds ?? SHORT_SECONDS, fault.seconds)

/** Asks again and again, `clients` at a time, until it is stopped; then says how many answers were good and how many were not. */
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
        // The server is gone: without a pause this would be a busy loop.
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
 * Resolves once `condition` holds; it is looked at every few milliseconds.
 * @throws when it does not come to hold on however busy a machine
 */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const endsAtMs = performance.now() + HOPELESS_MS
  while (!(await condition())) {
    if (performance.now() > endsAtMs)
      throw new Error(`in ${HOPELESS_MS / 1000} s it never held: ${condition}`)
    await delay(5)
  }
}
