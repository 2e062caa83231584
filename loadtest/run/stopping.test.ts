import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RowResult, Settings } from '../outcome/results.ts'
import { wantsBlock } from './stopping.ts'

const fixed = { rounds: 3, budgetSeconds: null, baseline: 'previous' } as Settings
const budgeted = { rounds: 0, budgetSeconds: 100, baseline: 'previous' } as Settings
const known = (...widths: (number | null)[]) =>
  widths.map(width => ({
    versusPrevious: { mainThreadMicros: { ci95: width && [1 - width, 1 + width] } },
  })) as RowResult[]
const first = { versusPrevious: null } as RowResult

describe('another block', () => {
  const cases: readonly [
    what: string,
    settings: Settings,
    state: [number, number, number],
    RowResult[],
    boolean,
  ][] = [
    ['is wanted until there are as many as asked for', fixed, [2, 1e9, 1], [], true],
    ['is not wanted when there are', fixed, [3, 0, 1], [], false],
    ['is wanted at first', budgeted, [0, 0, 0], [first], true],
    ['is wanted at first, also when profiles took all the time', budgeted, [0, 1e9, 0], [first], true],
    [
      'is wanted while a ratio has no interval',
      budgeted,
      [8, 10_000, 1000],
      [first, ...known(0.01, null)],
      true,
    ],
    [
      'is wanted while a ratio is not narrow',
      budgeted,
      [8, 10_000, 1000],
      [first, ...known(0.01, 0.03)],
      true,
    ],
    [
      'is wanted while a ratio to the row that is the baseline is not narrow',
      { ...budgeted, baseline: 'first' },
      [8, 10_000, 1000],
      [{ versusFirst: { mainThreadMicros: { ci95: [0.9, 1.1] } }, ...known(0.01)[0] } as RowResult],
      true,
    ],
    ['is not wanted when all are', budgeted, [8, 10_000, 1000], [first, ...known(0.01, 0.014)], false],
    [
      'is wanted between checks, however narrow the intervals are',
      budgeted,
      [9, 10_000, 1000],
      [first, ...known(0.01)],
      true,
    ],
    ['is wanted while it fits into the budget', budgeted, [3, 99_000, 1000], [first, ...known(0.1)], true],
    ['is not wanted when it does not', budgeted, [3, 99_001, 1000], [first, ...known(0.1)], false],
  ]
  for (const [what, settings, [blocks, spentMs, blockMs], steps, wanted] of cases) {
    test(what, () =>
      assert.equal(wantsBlock(settings, { blocks, spentMs, blockMs, sampleMs: 1, steps }), wanted),
    )
  }
})
