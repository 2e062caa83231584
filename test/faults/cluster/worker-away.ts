import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { logPlaces, memberOf, startStack } from '../../stack-parts.ts'
import { receivedSpans } from '../apm-stack.ts'
import { renderTally, until } from '../fault.ts'
import { assertClosed, PAUSE_MS, startRequests } from '../loaded-stack.ts'
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
  await requests.answered(SETTLED)
  const [worker, agent] = [memberOf(stack, 'worker'), memberOf(stack, 'apm-agent')]
  worker.signal('SIGSTOP')
  await until(async () => (await fetch(url)).status === 503)
  const before = await receivedSpans(agent)
  await delay(seconds * 1000)
  assert.ok((await receivedSpans(agent)) > before, 'apm-agent received no span meanwhile')
  worker.signal('SIGCONT')
  await requests.answered(SETTLED)
  const { good, failures } = await requests.stop()
  const { restarts } = agent
  const counts = await stack.stop()
  assert.equal(restarts, 0, 'apm-agent died')
  // The request whose task the worker had taken ends at its deadline.
  const { 503: refused = 0, 504: late = 0, ...others } = failures
  assert.deepEqual([refused > 0, late <= 1, others], [true, true, {}], renderTally(failures))
  assertClosed(counts)
  for (const { dropped } of Object.values(counts)) assert.equal(dropped, 0, 'something was dropped')
  return `${renderTally(failures)} meanwhile; ${good} good answers before and after; ${counts.spans?.emitted} spans and ${counts.metricPoints?.emitted} metric points, none lost`
}
