import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import { type ExpectedRequest, expectRequests } from '../../loadtest/generator/expected-requests.ts'
import { Latencies } from '../../loadtest/generator/latencies.ts'
import { scenarios } from '../../loadtest/generator/scenarios.ts'
import { count } from './fault.ts'
import { startClosedLoop, startOpenLoop } from './loops.ts'
import type { ClientsMessage, ClientsOrder, ClientsReport } from './overload-protocol.ts'

/** Connections of an open loop: a server that admits the work of one second never has as many requests at once. */
const CONNECTIONS = 3000
/** Longer than every time limit of the server. */
const ANSWER_LIMIT_MS = 30_000

process.once('message', async (order: ClientsOrder) => {
  const report = await overload(order)
  process.send?.({ kind: 'report', report } satisfies ClientsMessage, () => process.exit())
})
process.on('disconnect', () => process.exit())
process.on('SIGINT', () => {})

const tell = (kind: 'opened' | 'closed') => process.send?.({ kind } satisfies ClientsMessage)

async function overload({ url, scenario, load, warmupMs, durationMs }: ClientsOrder): Promise<ClientsReport> {
  const requests = expectRequests(scenarios[scenario], 1)
  const limits = { headersTimeout: ANSWER_LIMIT_MS, bodyTimeout: ANSWER_LIMIT_MS }
  const isOpenLoop = 'ratePerSecond' in load
  const pool = new Pool(url, { connections: isOpenLoop ? CONNECTIONS : load.clients, ...limits })
  const tally = { good: 0, wrongBodies: 0, refused: 0, failed: {} as Record<string, number> }
  const latencies = new Latencies()
  let asked = 0
  let isOpen = false

  async function ask(): Promise<void> {
    const expected = requests[asked++ % requests.length] as ExpectedRequest
    const sentAtMs = performance.now()
    const outcome = await exchange(pool, expected)
    if (typeof outcome === 'string') count(tally.failed, outcome)
    else if (outcome.kind === 'wrongBodies' || isOpen) tally[outcome.kind]++
    if (typeof outcome !== 'string' && outcome.kind === 'good') latencies.record(performance.now() - sentAtMs)
  }

  const stop = isOpenLoop
    ? startOpenLoop(ask, load.ratePerSecond, load.seed)
    : startClosedLoop(ask, load.clients)
  await delay(warmupMs)
  isOpen = true
  tell('opened')
  const openedAtMs = performance.now()
  await delay(durationMs)
  isOpen = false
  tell('closed')
  const seconds = (performance.now() - openedAtMs) / 1000
  await stop()
  await pool.destroy()
  const { p50, max } = latencies.summary()
  return { ...tally, seconds, medianMs: p50, slowestMs: max }
}

type Outcome = { readonly kind: 'good' | 'wrongBodies' | 'refused' } | string

async function exchange(pool: Pool, { path, body: expected }: ExpectedRequest): Promise<Outcome> {
  try {
    const { statusCode, headers, body } = await pool.request({ path, method: 'GET' })
    const received = await body.text()
    if (statusCode === 200) return { kind: received === expected ? 'good' : 'wrongBodies' }
    const { code } = JSON.parse(received)
    return code === 'OVERLOADED' && headers['retry-after'] ? { kind: 'refused' } : `${statusCode} ${code}`
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? (error as Error).message
  }
}
