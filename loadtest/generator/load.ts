import { setTimeout as delay } from 'node:timers/promises'
import { drawExponential, seededRandom } from '../../lib/random.ts'

export type Pause = (ms: number, signal: AbortSignal) => Promise<unknown>

/**
 * Starts clients that each ask again once they are answered.
 * @param ask lets a client, by its number, send one request. It returns how many milliseconds the client pauses afterwards
 * @param pause waits for some milliseconds, or until the signal is aborted
 * @returns a function that stops the clients and waits for the answers to requests already sent
 */
export function startClients(
  count: number,
  ask: (client: number, signal: AbortSignal) => Promise<number>,
  pause: Pause = pauseUntilAborted,
): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  async function keepAsking(client: number): Promise<void> {
    while (!signal.aborted) {
      const pauseMs = await ask(client, signal)
      if (pauseMs > 0) await pause(pauseMs, signal)
    }
  }
  const clients = Promise.all(Array.from({ length: count }, (_, client) => keepAsking(client)))
  return async () => {
    stopping.abort()
    await clients
  }
}

/** Returns early once the signal is aborted. */
const pauseUntilAborted: Pause = (ms, signal) => delay(ms, undefined, { signal }).catch(() => {})

/** Waits. @throws the reason of the signal once it is aborted */
export async function pause(durationMs: number, abort: AbortSignal): Promise<void> {
  await pauseUntilAborted(durationMs, abort)
  abort.throwIfAborted()
}

export interface Arrivals {
  readonly ratePerSecond: number
  readonly arrivals: 'constant' | 'poisson'
  readonly seed: number
}

/**
 * The times at which requests are due, in milliseconds from the start, without end: at equal gaps, or as a Poisson process, whose
 * gaps are exponential. Gaps are added up in units of the mean gap, so rounding errors do not grow.
 */
export function* schedule({ ratePerSecond, arrivals, seed }: Arrivals): Generator<number, never> {
  const meanGapMs = 1000 / ratePerSecond
  const random = seededRandom(seed)
  const gap = { constant: () => 1, poisson: () => drawExponential(random) }[arrivals]
  for (let gaps = 0; ; gaps += gap()) yield gaps * meanGapMs
}
