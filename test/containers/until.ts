import { setTimeout as delay } from 'node:timers/promises'

/** Time after which a test gives up waiting. */
export const LIMIT_MS = 60_000
const PAUSE_MS = 500

/** Repeats a request until its answer is the wanted one. */
export async function until<T>(
  what: string,
  ask: () => Promise<T>,
  isWanted: (answer: T) => boolean,
): Promise<T> {
  const deadline = Date.now() + LIMIT_MS
  for (let last: unknown; ; await delay(PAUSE_MS)) {
    try {
      const answer = await ask()
      if (isWanted(answer)) return answer
      last = answer
    } catch (error) {
      last = error
    }
    if (Date.now() > deadline) throw new Error(`${what} did not come; last: ${last}`)
  }
}

export const statusOf = async (url: string): Promise<number> => (await fetch(url)).status
