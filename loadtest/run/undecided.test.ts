import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RowResult } from '../outcome/results.ts'
import type { Ratio } from '../statistics/ratio.ts'
import { chooseRows, listUndecided } from './stopping.ts'

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
const choose = (spentMs: number, rows = steps, blocks = 2) => [
  ...chooseRows(settings, { blocks, spentMs, sampleMs: 5000, steps: rows }),
]

describe('the next block of a run that looks at its verdicts', () => {
  test('has all rows until there are verdicts, whatever the budget', () => {
    assert.equal(choose(89_000, steps, 1).length, 7)
  })

  test('has the rows of the pair that is nearest to a verdict, and of those that are at least half as near', () => {
    assert.deepEqual(choose(0).sort(), ['1', '2', '5', '6'])
    const near = rowsWith(2, [less, open(1.1), less, open(1.1), less, open(1.2)])
    assert.deepEqual(choose(0, near).sort(), ['1', '2', '3', '4', '5', '6'])
  })

  test('has the pairs nearest to a verdict when the time is short, and none when it is over', () => {
    assert.deepEqual(choose(70_000), ['6', '5', '2', '1'])
    assert.deepEqual(choose(79_000), ['6', '5'])
    assert.deepEqual(choose(81_000), [])
  })

  test('has no rows when all is decided', () => {
    assert.deepEqual(choose(0, rowsWith(2, [less, less, less, less, less, less])), [])
  })

  test('counts no verdict between two looks', () => {
    const decided = [less, less, less, less, less, less]
    assert.equal(listUndecided(rowsWith(5, decided), settings).length, 6)
    assert.equal(listUndecided(rowsWith(6, decided), settings).length, 0)
  })
})
