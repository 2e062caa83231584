import type { RowResult } from '../outcome/results.ts'
import type { Design } from '../statistics/estimate.ts'
import type { Ratio } from '../statistics/ratio.ts'
import {
  compareRun,
  drawRuns,
  isWrong,
  type Simulated,
  type Values,
} from '../statistics/simulated-run.fixture.ts'
import { chooseRows } from './stopping.ts'

/** Equal rows, and the number of samples for which a run with `--quick` has time. */
type SimulatedQuick = Omit<Simulated, 'blocks'> & { readonly samples: number }

/**
 * Simulates runs with `--quick` whose rows are the same.
 * @param pairs number of pairs of rows in all runs together, at least
 * @returns the share of pairs that are called different at the end of their run
 */
export function simulateQuick({ samples, ...simulated }: SimulatedQuick, pairs: number, design: Design) {
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
  const empty = () => all.metric.map(() => new Map<number, number>())
  const metric = empty()
  const covariate = all.covariate && empty()
  for (let block = 1, taken = 0; ; block++) {
    const ratios = compareAll({ metric, covariate }, design)
    const steps = metric.map((row, index) => ({
      name: `${index}`,
      samples: [...row.keys()].map(round => ({ round, valid: true })),
      versusPrevious: index === 0 ? null : { mainThreadMicros: ratios[index - 1] },
    })) as unknown as RowResult[]
    const settings = { baseline: 'previous', budgetSeconds: most } as const
    const chosen = chooseRows(settings, { blocks: block - 1, spentMs: taken * 1000, sampleMs: 1000, steps })
    if (chosen.size === 0) return ratios
    taken += chosen.size
    for (const row of [...chosen].map(Number)) {
      metric[row]?.set(block, all.metric[row]?.get(block) as number)
      covariate?.[row]?.set(block, all.covariate?.[row]?.get(block) as number)
    }
  }
}

/** Compares each row with the row above. */
function compareAll(values: Values, design: Design): Ratio[] {
  const compare = compareRun(values, design)
  return values.metric.slice(1).map((_, above) => compare(above + 1, above))
}
