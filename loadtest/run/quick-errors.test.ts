import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RowResult } from '../outcome/results.ts'
import type { Design } from '../statistics/estimate.ts'
import type { Ratio } from '../statistics/ratio.ts'
import {
  compareRun,
  drawRuns,
  isWrong,
  type Simulated,
  strayOf,
  type Values,
} from '../statistics/simulated-run.fixture.ts'
import { START_SCATTER } from '../statistics/thresholds.ts'
import { chooseRows } from './stopping.ts'

const PAIRS = 400
const MOST = 0.02 + strayOf(0.02, PAIRS)

describe('a run with --quick that keeps its stacks', () => {
  const kept = { scatter: 0.1, shape: 'normal', starts: START_SCATTER } as const
  const design = { looks: true, keepsStacks: true }
  for (const [rows, samples] of [
    [8, 60],
    [2, 40],
  ] as const) {
    test(`calls rows that are the same different at most 2 times of 100: ${rows} rows, ${samples} samples`, () => {
      const wrong = simulateQuick({ ...kept, rows, samples }, PAIRS, design)
      assert.ok(wrong <= MOST, `${wrong} wrong`)
    })
  }

  test('would be wrong more often if it did not allow for starts that differ', () => {
    const calm = { ...kept, scatter: 0.03, rows: 2, samples: 40 }
    const wrong = simulateQuick(calm, PAIRS, { looks: true })
    assert.ok(wrong > MOST, `${wrong} wrong`)
  })
})

/** Equal rows, and the number of samples for which a run with `--quick` has time. */
type SimulatedQuick = Omit<Simulated, 'blocks'> & { readonly samples: number }

/**
 * Simulates runs with `--quick` whose rows are the same.
 * @param pairs number of pairs of rows in all runs together, at least
 * @returns the share of pairs that are called different at the end of their run
 */
function simulateQuick({ samples, ...simulated }: SimulatedQuick, pairs: number, design: Design) {
  const count = Math.ceil(pairs / (simulated.rows - 1))
  const runs = drawRuns({ ...simulated, blocks: Math.ceil(samples / 2) }, count)
  const ends = runs.flatMap(run => takeSamples(run, samples, design))
  return ends.filter(isWrong).length / ends.length
}

/**
 * Takes the samples of each block as a run does: all rows at first, then those of the pairs that it chooses.
 * @param all the values of samples of every row in every block, taken or not
 * @param most samples that fit into the budget
 * @returns the ratio of each row to the row above at the end
 */
function takeSamples(all: Values, most: number, design: Design): Ratio[] {
  const metric = all.metric.map(() => new Map<number, number>())
  for (let block = 1, taken = 0; ; block++) {
    const compare = compareRun({ metric }, design)
    const ratios = metric.slice(1).map((_, above) => compare(above + 1, above))
    const steps = metric.map((row, index) => ({
      name: `${index}`,
      samples: [...row.keys()].map(round => ({ round, valid: true })),
      versusPrevious: index === 0 ? null : { mainThreadMicros: ratios[index - 1] },
    })) as unknown as RowResult[]
    const settings = { baseline: 'previous', budgetSeconds: most } as const
    const chosen = chooseRows(settings, { blocks: block - 1, spentMs: taken * 1000, sampleMs: 1000, steps })
    if (chosen.size === 0) return ratios
    taken += chosen.size
    for (const row of [...chosen].map(Number)) metric[row]?.set(block, all.metric[row]?.get(block) as number)
  }
}
