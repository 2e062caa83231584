import { createHash } from 'node:crypto'
import { Agent, request } from 'node:http'
import { ExactLatencies } from '../../loadtest/generator/latencies.ts'

/** An answer that takes longer counts as an error. */
const ANSWER_LIMIT_MS = 30_000

export interface LoadFigures {
  /** Answers with a status below 400. */
  readonly responses: number
  readonly errors: number
  /** Milliseconds; NaN when nothing was answered. */
  readonly latencyMs: { readonly p50: number; readonly p99: number }
  /** Status and digest of each body that was seen, with its number of answers. Bodies are only told apart, not kept. */
  readonly bodies: ReadonlyMap<string, number>
}

export interface Load {
  /** Forgets what it has counted, and counts from now on. */
  open(): void
  figures(): LoadFigures
  /** Ends all connections. */
  stop(): Promise<void>
}

/** Starts a closed loop: each connection sends its next request as soon as its last is answered. */
export function startLoad(url: string, connections: number): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let isStopped = false
  let counted = emptyCounts()
  const ask = async () => {
    while (!isStopped) {
      const sentAtMs = performance.now()
      const answer = await get(url, agent)
      if (isStopped) return
      if (answer === undefined || answer.status >= 400) counted.errors++
      else {
        counted.responses++
        counted.latencies.record(performance.now() - sentAtMs)
      }
      const key = answer ? `${answer.status} ${answer.digest}` : 'no answer'
      counted.bodies.set(key, (counted.bodies.get(key) ?? 0) + 1)
      if (!answer) await new Promise(resolve => setTimeout(resolve, 50))
    }
  }
  const loops = Array.from({ length: connections }, ask)
  return {
    open() {
      counted = emptyCounts()
    },
    figures: () => ({ ...counted, latencyMs: counted.latencies.summary() }),
    async stop() {
      isStopped = true
      agent.destroy()
      await Promise.all(loops)
    },
  }
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
function get(url: string, agent?: Agent): Promise<Answer | undefined> {
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
