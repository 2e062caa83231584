import { createHash } from 'node:crypto'
import * as http from 'node:http'
import * as https from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import { schedule } from '../../loadtest/generator/arrivals.ts'
import { ExactLatencies } from '../../loadtest/generator/latencies.ts'

/** An answer that takes longer counts as an error. */
const ANSWER_LIMIT_MS = 30_000
/** After a connection has failed, the next is tried this much later. */
const RETRY_MS = 50

export interface LoadFigures {
  /** Answers with a status below 400. */
  readonly responses: number
  readonly errors: number
  /** Milliseconds; NaN when nothing was answered. */
  readonly latencyMs: { readonly p50: number; readonly p99: number }
  /** Status and digest of each body that was seen, with its number of answers. Bodies are only told apart, not kept. */
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
  /** Ends all connections. */
  stop(): Promise<void>
}

/**
 * Starts to send requests. In a closed loop, each connection sends its next request as soon as its last is answered. In an
 * open loop, requests are due at random times (a Poisson process), and wait if all connections are busy. Latency counts
 * from the time when a request was due, so this wait is not omitted.
 */
export function startLoad(url: string, { connections, ratePerSecond }: LoadOptions): Load {
  const agent = createAgent(url, connections)
  const stopping = new AbortController()
  const nextDueMs = ratePerSecond === undefined ? () => performance.now() : openLoop(ratePerSecond)
  let counted = emptyCounts()
  const ask = async () => {
    while (!stopping.signal.aborted) {
      const dueAtMs = nextDueMs()
      await waitUntil(dueAtMs, stopping.signal)
      if (stopping.signal.aborted) return
      const answer = await get(url, agent)
      if (stopping.signal.aborted) return
      if (answer === undefined || answer.status >= 400) counted.errors++
      else {
        counted.responses++
        counted.latencies.record(performance.now() - dueAtMs)
      }
      const key = answer ? `${answer.status} ${answer.digest}` : 'no answer'
      counted.bodies.set(key, (counted.bodies.get(key) ?? 0) + 1)
      if (!answer) await waitUntil(performance.now() + RETRY_MS, stopping.signal)
    }
  }
  const loops = Array.from({ length: connections }, ask)
  return {
    open() {
      counted = emptyCounts()
    },
    figures: () => ({ ...counted, latencyMs: counted.latencies.summary() }),
    async stop() {
      stopping.abort()
      agent.destroy()
      await Promise.all(loops)
    },
  }
}

/** A service that is tried out often has a certificate of its own making, so certificates are not checked. */
const createAgent = (url: string, maxSockets: number): http.Agent =>
  url.startsWith('https:')
    ? new https.Agent({ keepAlive: true, maxSockets, rejectUnauthorized: false })
    : new http.Agent({ keepAlive: true, maxSockets })

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

const emptyCounts = () => ({
  responses: 0,
  errors: 0,
  latencies: new ExactLatencies(),
  bodies: new Map<string, number>(),
})

interface Answer {
  readonly status: number
  readonly digest: string
}

/** Asks once; undefined if the connection fails or the answer takes too long. */
function get(url: string, agent: http.Agent): Promise<Answer | undefined> {
  const { request } = url.startsWith('https:') ? https : http
  return new Promise(resolve => {
    const sent = request(url, { agent, timeout: ANSWER_LIMIT_MS }, response => {
      const hash = createHash('sha1')
      response.on('data', (chunk: Buffer) => hash.update(chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, digest: hash.digest('hex') }))
      response.on('error', () => resolve(undefined))
    })
    sent.on('timeout', () => sent.destroy())
    sent.on('error', () => resolve(undefined))
    sent.end()
  })
}
