import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loggerOf } from '../../lib/telemetry/logger.ts'
import { monotonicMs } from '../../lib/units.ts'
import { createNoApm } from '../../test/calm-service.ts'
import { RequestContext } from '../context.ts'
import { Problem } from '../problems.ts'
import { watchPools } from '../server/pools.ts'
import { createPageHandler } from './page-handler.ts'

test('a page is one span below that of its request, and counts as work unless it failed', async () => {
  const records: unknown[] = []
  const apm = {
    ...(await createNoApm()),
    startWork: (...started: unknown[]) => records.push(started),
    endWork: (...ended: unknown[]) => records.push(ended),
    failWork: (...failed: unknown[]) => records.push(failed),
  }
  const times = { waitMs: 1, runMs: 2 }
  const failure = new Problem('PART_FAILED')
  const outcomes = [times]
  const rendering = {
    async render({ onEnd }: { onEnd(end: typeof times): void }) {
      const outcome = outcomes.shift()
      if (!outcome) throw failure
      onEnd(outcome)
      return ''
    },
    close: async () => {},
  }
  const logger = loggerOf(() => () => {})
  const handle = createPageHandler({ rendering, apm, logger, partTimeoutMs: 60_000 })
  const pools = watchPools({ apm, rendering, compute: { recorder: {} as never } })
  const context = new RequestContext('a', monotonicMs() + 60_000, 'its span')
  await handle({} as never, context, {})
  await assert.rejects(async () => handle({} as never, context, {}), failure)
  assert.deepEqual(records, [
    ['render', 'page', 'its span'],
    [1, times],
    ['render', 'page', 'its span'],
    [3, failure],
  ])
  assert.deepEqual(pools.rendering.done, { tasks: 1, ...times })
})
