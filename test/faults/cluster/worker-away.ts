import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { logPlaces, memberOf, startStack } from '../../stack-parts.ts'
import { agentOf, receivedSpans } from '../apm-stack.ts'
import { PAUSE_MS, renderTally, startRequests, until } from '../fault.ts'
import { step } from '../protocol.ts'

const SETTLED = 50

/**
 * Stops the only worker for a while. Requests are refused meanwhile, and apm-agent takes all metrics and spans, also those
 * that say that there is no worker.
 */
export async function stopWorker(directory: string, seconds: number): Promise<string> {
  const stack = await startStack({
    composition: { ...step.composition, compute: 'nats', serialization: 'compiled', upstream: 'main' },
    app: { ...logPlaces(directory), metricIntervalMs: 1000 },
  })
  const url = `${stack.address('app')}/cpu?size=1`
  await until(async () => (await fetch(url)).status === 200)
  const requests = startRequests(url, 1, PAUSE_MS)
  await until(() => requests.answers() > SETTLED)
  const worker = memberOf(stack, 'worker')
  worker.signal('SIGSTOP')
  await until(async () => (await fetch(url)).status === 503)
  const before = await receivedSpans(agentOf(stack))
  await delay(seconds * 1000)
  assert.ok((await receivedSpans(agentOf(stack))) > before, 'apm-agent received no span meanwhile')
  worker.signal('SIGCONT')
  const served = requests.answers()
  await until(() => requests.answers() > served + SETTLED)
  const { good, failures } = await requests.stop()
  const { restarts } = agentOf(stack)
  const { spans, metricPoints, logLines } = await stack.stop()
  assert.equal(restarts, 0, 'apm-agent died')
  // The request whose task the worker had taken ends at its deadline.
  const { 503: refused = 0, 504: late = 0, ...others } = failures
  assert.deepEqual([refused > 0, late <= 1, others], [true, true, {}], renderTally(failures))
  for (const counts of [spans, metricPoints, logLines])
    assert.deepEqual([counts?.dropped, counts?.delivered], [0, counts?.emitted], 'the ledger is open')
  return `${renderTally(failures)} meanwhile; ${good} good answers before and after; ${spans?.emitted} spans and ${metricPoints?.emitted} metric points, none lost`
}
