import { setTimeout as delay } from 'node:timers/promises'
import { seededRandom } from '../../lib/random.ts'
import { schedule } from '../../loadtest/generator/arrivals.ts'
import { ExactLatencies } from '../../loadtest/generator/latencies.ts'
import { Gate } from './gate.ts'
import type { Request, Target } from './request.ts'
import { createSender } from './sender.ts'

/** After a connection has failed, the next is tried this much later. */
const RETRY_MS = 50

export interface LoadFigures {
  /** Answers with a status below 400. */
  readonly responses: number
  /** Number of all others, by their status or by the code of their error. */
  readonly failures: ReadonlyMap<string, number>
  /** Milliseconds; NaN when nothing was answered. */
  readonly latencyMs: { readonly p50: number; readonly p99: number }
  /**
   * The place of the request, and status and digest of each body that was seen, with its number of answers. Bodies are only
   * told apart, not kept.
   */
  readonly bodies: ReadonlyMap<string, number>
}

export interface LoadOptions {
  readonly connections: number
  /** Requests each second of an open loop; undefined for a closed loop. */
  readonly ratePerSecond?: number | undefined
}

export interface Load {
  /** Forgets what it has counted, and counts from now on. */
  open(): void
  figures(): LoadFigures
  /** Sends nothing more until `resume`. Resolves once all requests that are under way are answered. */
  pause(): Promise<void>
  resume(): void
  /** Ends all connections. */
  stop(): Promise<void>
}

/**
 * Starts to send requests, each drawn by its weight. In a closed loop, each connection sends its next request as soon as its
 * last is answered. In an open loop, requests are due at random times (a Poisson process), and wait if all connections are
 * busy. Latency counts from the time when a request was due, so this wait is not omitted.
 */
export function startLoad(
  target: Target,
  requests: readonly Request[],
  { connections, ratePerSecond }: LoadOptions,
): Load {
  const stopping = new AbortController()
  const startArrivals = () =>
    ratePerSecond === undefined ? () => performance.now() : openLoop(ratePerSecond)
  let nextDueMs = startArrivals()
  const gate = new Gate()
  const draw = createDraw(requests)
  const senders = Array.from({ length: connections }, () => createSender(target))
  let counted = emptyCounts()
  const ask = async (sender: ReturnType<typeof createSender>) => {
    while (!stopping.signal.aborted) {
      await gate.opened
      const dueAtMs = nextDueMs()
      await waitUntil(dueAtMs, stopping.signal)
      if (stopping.signal.aborted) return
      if (gate.isClosed) continue
      const index = draw()
      const { status, digest } = await gate.pass(sender.send(requests[index] as Request))
      if (stopping.signal.aborted) return
      if (typeof status === 'number' && status < 400) {
        counted.responses++
        counted.latencies.record(performance.now() - dueAtMs)
      } else count(counted.failures, String(status))
      count(counted.bodies, `${index} ${status} ${digest}`)
      if (typeof status === 'string') await waitUntil(performance.now() + RETRY_MS, stopping.signal)
    }
  }
  const loops = senders.map(ask)
  return {
    open() {
      counted = emptyCounts()
    },
    figures() {
      const { latencies, ...counts } = counted
      return {
        ...counts,
        get latencyMs() {
          return latencies.summary()
        },
      }
    },
    pause: () => gate.close(),
    resume() {
      nextDueMs = startArrivals()
      gate.open()
    },
    async stop() {
      stopping.abort()
      gate.open()
      for (const sender of senders) sender.close()
      await Promise.all(loops)
    },
  }
}

/** Draws the place of a request by its weight, in the same order each time. */
function createDraw(requests: readonly Request[]): () => number {
  const places = requests.flatMap(({ weight }, index) => Array<number>(weight).fill(index))
  if (requests.length === 1) return () => 0
  const random = seededRandom(1)
  return () => places[Math.floor(random() * places.length)] as number
}

/** The times at which requests are due, one after the other: whoever is free takes the next. */
function openLoop(ratePerSecond: number): () => number {
  const startedAtMs = performance.now()
  const times = schedule({ kind: 'open', ratePerSecond, arrivals: 'poisson', seed: 1 })
  return () => startedAtMs + times.next().value
}

/** Waits; returns early once the signal is aborted. */
async function waitUntil(atMs: number, signal: AbortSignal): Promise<void> {
  const durationMs = atMs - performance.now()
  if (durationMs > 0) await delay(durationMs, undefined, { signal }).catch(() => {})
}

const count = (counts: Map<string, number>, key: string) => void counts.set(key, (counts.get(key) ?? 0) + 1)

const emptyCounts = () => ({
  responses: 0,
  failures: new Map<string, number>(),
  latencies: new ExactLatencies(),
  bodies: new Map<string, number>(),
})
