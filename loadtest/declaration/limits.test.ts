import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Results } from '../outcome/results.ts'
import { countColumns } from './columns.ts'
import { describeLimit } from './limits.ts'

const open = { ratio: 1.02, ci95: [0.96, 1.08], verdict: 'inconclusive' }
const resultsWith = (ratio: object, settings: object = {}): Results =>
  ({
    settings: { baseline: 'previous', ...settings },
    steps: [
      { name: 'one', versusPrevious: null },
      { name: 'two', versusPrevious: { mainThreadMicros: ratio } },
    ],
  }) as unknown as Results

describe('what limited a run', () => {
  const cases: readonly [string, Results, RegExp][] = [
    ['is its length', resultsWith(open), /^This run cannot tell 1 of 1 main-thread ratios; the widest is known to ±6.1 %. On a machine like this, ±1.5 % takes about 17 times as many blocks/], // biome-ignore format: a table
    ['is no longer run where it would take too long', resultsWith({ ...open, ci95: [0.5, 2] }), /too noisy for ±1.5 %/], // biome-ignore format: a table
    ['is nothing where each ratio has a verdict', resultsWith({ ...open, verdict: 'slower' }), /^This run decides each main-thread ratio; the widest is known to ±6.1 %\.$/], // biome-ignore format: a table
    ['is too few blocks', resultsWith({ ...open, ci95: null }), /there are too few blocks/],
    ['is that each stack was started once, with --quick', resultsWith(open, { keepsStacks: true }), /±6.1 %. Each stack was started once, .* leave out --quick/], // biome-ignore format: a table
  ]
  for (const [what, results, said] of cases)
    test(what, () => assert.match(describeLimit(results) as string, said))

  test('is not said of a single row', () => {
    const { steps, ...others } = resultsWith(open)
    assert.equal(describeLimit({ ...others, steps: steps.slice(0, 1) }), null)
  })
})

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
