import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RowResult, Settings } from '../outcome/results.ts'
import type { Ratio } from '../statistics/ratio.ts'
import { chooseRows, listUndecided, wantsBlock } from './stopping.ts'

describe('another block', () => {
  const fixed = { rounds: 3, budgetSeconds: null, baseline: 'previous' } as Settings
  const budgeted = { rounds: 0, budgetSeconds: 100, baseline: 'previous' } as Settings
  const first = { versusPrevious: null } as RowResult
  const known = (...widths: (number | null)[]) => [
    first,
    ...(widths.map(width => ({
      versusPrevious: { mainThreadMicros: { ci95: width && [1 - width, 1 + width] } },
    })) as RowResult[]),
  ]
  const versusFirst = [{ versusFirst: { mainThreadMicros: { ci95: [0.9, 1.1] } } }] as unknown as RowResult[]

  type State = [blocks: number, spentMs: number, blockMs: number]
  // biome-ignore format: a table
  const cases: readonly [what: string, Settings, State, RowResult[], boolean][] = [
    ['is wanted until there are as many as asked for', fixed, [2, 1e9, 1], [], true],
    ['is not wanted when there are', fixed, [3, 0, 1], [], false],
    ['is wanted at first, also when profiles took all the time', budgeted, [0, 1e9, 0], [first], true],
    ['is wanted while a ratio has no interval', budgeted, [8, 10_000, 1000], known(0.01, null), true],
    ['is wanted while a ratio is not narrow', budgeted, [8, 10_000, 1000], known(0.01, 0.03), true],
    ['is wanted while a ratio to the baseline is not', { ...budgeted, baseline: 'first' }, [8, 10_000, 1000], versusFirst, true],
    ['is not wanted when all are', budgeted, [8, 10_000, 1000], known(0.01, 0.014), false],
    ['is wanted between checks, however narrow the intervals are', budgeted, [9, 10_000, 1000], known(0.01), true],
    ['is wanted while it fits into the budget', budgeted, [3, 99_000, 1000], known(0.1), true],
    ['is not wanted when it does not', budgeted, [3, 99_001, 1000], known(0.1), false],
  ]
  for (const [what, settings, [blocks, spentMs, blockMs], steps, wanted] of cases)
    test(what, () =>
      assert.equal(wantsBlock(settings, { blocks, spentMs, blockMs, sampleMs: 1, steps }), wanted),
    )
})

describe('the next block of a run that looks at its verdicts', () => {
  const settings = { baseline: 'previous', budgetSeconds: 90 } as const
  const less: Partial<Ratio> = { ratio: 0.5, ci95: [0.4, 0.6], verdict: 'faster' }
  const open = (ratio: number): Partial<Ratio> => ({ ratio, ci95: [0.7, 1.3], verdict: 'inconclusive' })

  /** Seven rows with so many blocks each. @param ratios of each row to the row above */
  const rowsWith = (blocks: number, ratios: readonly Partial<Ratio>[]) =>
    ['0', '1', '2', '3', '4', '5', '6'].map((name, index) => ({
      name,
      samples: Array.from({ length: blocks }, (_, block) => ({ round: block + 1, valid: true })),
      versusPrevious: index === 0 ? null : { mainThreadMicros: ratios[index - 1] },
    })) as unknown as RowResult[]

  /** After two blocks, rows 2, 4 and 6 are not decided; row 6 is nearest to a verdict. */
  const steps = rowsWith(2, [less, open(1.1), less, open(1.05), less, open(1.2)])
  const decided = [less, less, less, less, less, less]
  const choose = (spentMs: number, rows = steps, blocks = 2) => [
    ...chooseRows(settings, { blocks, spentMs, sampleMs: 5000, steps: rows }),
  ]

  test('has all rows until there are verdicts, whatever the budget', () =>
    assert.equal(choose(89_000, steps, 1).length, 7))

  test('has the rows of the pair that is nearest to a verdict, and of those that are at least half as near', () => {
    assert.deepEqual(choose(0).sort(), ['1', '2', '5', '6'])
    const near = rowsWith(2, [less, open(1.1), less, open(1.1), less, open(1.2)])
    assert.deepEqual(choose(0, near).sort(), ['1', '2', '3', '4', '5', '6'])
  })

  test('has the pairs nearest to a verdict when the time is short, and none when it is over or all is decided', () => {
    assert.deepEqual(choose(70_000), ['6', '5', '2', '1'])
    assert.deepEqual(choose(79_000), ['6', '5'])
    assert.deepEqual(choose(81_000), [])
    assert.deepEqual(choose(0, rowsWith(2, decided)), [])
  })

  test('counts no verdict between two looks', () =>
    assert.deepEqual(
      [5, 6].map(blocks => listUndecided(rowsWith(blocks, decided), settings).length),
      [6, 0],
    ))
})
