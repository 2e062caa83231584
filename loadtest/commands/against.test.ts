import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Results, RowResult } from '../outcome/results.ts'
import { compareBlocks, findMore } from './against.ts'

const value = (median: number) => ({ median, ci95: null })
const side = (allocated: number, wakeups: number, micros: number): Pick<Results, 'steps'> => ({
  steps: [
    {
      name: 'monolith',
      allocatedBytes: value(allocated),
      wakeups: value(wakeups),
      mainThreadMicros: value(micros),
    },
  ] as unknown as RowResult[],
})
const blocks = Array.from({ length: 6 }, (_, block) => [
  {
    scenario: 'demo',
    base: side(1000 + block, 2 + block / 100, 100 + 40 * (block % 2)),
    here: side(1300 + block, 2 + block / 100, 140 - 40 * (block % 2)),
  },
])

test('a commit that allocates more beyond the threshold is named; a difference that may be chance is not', () => {
  const table = compareBlocks(blocks)
  assert.deepEqual(
    table.map(({ metric, ratio }) => [metric, ratio.verdict]),
    [
      ['allocatedBytes', 'slower'],
      ['wakeups', 'equivalent'],
      ['mainThreadMicros', 'inconclusive'],
    ],
  )
  assert.deepEqual(findMore(table, 0.1), ['allocatedBytes of demo, monolith × 1.30'])
  assert.deepEqual(findMore(table, 0.5), [])
})
