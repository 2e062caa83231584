import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Results } from '../outcome/results.ts'
import { countColumns } from './columns.ts'

describe('the counts of the main thread', () => {
  test('are those that samples have', () => {
    const [known, unknown] = [2048, null].map(median => ({ median, ci95: null }))
    const results = {
      settings: { baseline: 'first' },
      steps: [{ number: 1, name: 'one', allocatedBytes: known, wakeups: unknown, collections: unknown }],
    }
    const columns = countColumns(results as unknown as Results)
    assert.deepEqual(columns.map(({ title }) => title), ['step', 'KiB allocated', '× first', 'verdict']) // biome-ignore format: short
    assert.equal(columns[1]?.cell(results.steps[0] as never), '2.0')
  })
})
