import { shuffled } from '../../lib/random.ts'
import runs from './real-runs.fixture.json' with { type: 'json' }
import type { Values } from './simulated-run.fixture.ts'

/**
 * Costs of samples that were measured, by run, row and block: of the main thread, and of all other threads of the app,
 * whose work is nearly the same in the rows from step 1 on.
 */
export type RealRun = keyof typeof runs

/** The logarithms of these costs, with the average of each row taken out. */
export function readRealRun(name: RealRun): Values {
  const { mainThreadMicros, otherThreadsMicros } = runs[name]
  return { metric: mainThreadMicros.map(centredLogs), covariate: otherThreadsMicros.map(centredLogs) }
}

function centredLogs(values: readonly number[]) {
  const logs = values.map(Math.log)
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length
  return new Map(logs.map((log, index) => [index + 1, log - mean]))
}

/**
 * Draws some blocks of a run, and deals the samples of each block to the rows anew: whatever made a row differ, no row of
 * the result does.
 */
export function deal({ metric, covariate }: Values, blocks: number, random: () => number): Values {
  const drawn = shuffled([...(metric[0]?.keys() ?? [])], random).slice(0, blocks)
  const orders = drawn.map(() => shuffled([...metric.keys()], random))
  const dealt = (values: Values['metric']) =>
    values.map(
      (_, row) =>
        new Map(
          drawn.map((block, index) => {
            const from = orders[index]?.[row] as number
            return [index + 1, values[from]?.get(block) as number]
          }),
        ),
    )
  return { metric: dealt(metric), covariate: covariate && dealt(covariate) }
}
