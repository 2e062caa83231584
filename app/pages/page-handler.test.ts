import assert from 'node:assert/strict'
import { test } from 'node:test'
import { monotonicMs } from '../../lib/units.ts'
import { createNoApm } from '../../test/no-apm.ts'
import { RequestContext } from '../context.ts'
import { Problem } from '../problems.ts'
import { instrumentPages } from './page-handler.ts'

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
  const { pool, render } = instrumentPages(
    {
      async render({ onEnd }) {
        const outcome = outcomes.shift()
        if (!outcome) throw failure
        onEnd(outcome)
        return ''
      },
      close: async () => {},
    },
    apm,
  )
  const context = new RequestContext('a', monotonicMs() + 60_000, 'its span')
  const page = { context, onEnd() {} } as never
  await render(page)
  await assert.rejects(render(page), failure)
  assert.deepEqual(records, [
    ['render', 'page', 'its span'],
    [1, times],
    ['render', 'page', 'its span'],
    [3, failure],
  ])
  assert.deepEqual(pool.done, { tasks: 1, ...times })
  context.abort()
  await assert.rejects(render(page), { code: 'CLIENT_GONE' })
  assert.equal(records.length, 4, 'nothing is rendered for a client that has left')
})
