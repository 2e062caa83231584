import { seededRandom } from '../../lib/random.ts'
import { type CompareRows, createComparison } from './compare-rows.ts'
import type { ByBlock } from './control-variate.ts'
import type { Design } from './estimate.ts'
import type { Ratio } from './ratio.ts'

/** A run that never happened: all its rows are the same but for the effects that are asked for. */
export interface Simulated {
  readonly rows: number
  readonly blocks: number
  /** Scatter of a sample, in logarithms. */
  readonly scatter: number
  /** How the covariate is correlated with the metric: 0 for a worthless one; absent if there is none. */
  readonly correlation?: number | undefined
  /** `heavy`: Student's t with 3 degrees of freedom. */
  readonly shape: 'normal' | 'heavy'
  /** Scatter of the starts of a row, all of whose samples are of one start; 0 if absent. */
  readonly starts?: number
}

/** A share strays so far from the truth in a simulation of this size: three standard errors. */
export const strayOf = (share: number, count: number): number => 3 * Math.sqrt((share * (1 - share)) / count)

/** Logarithms of a metric and of its covariate, by row and block. */
export interface Values {
  readonly metric: readonly ByBlock[]
  readonly covariate?: readonly ByBlock[] | undefined
}

/** Blocks of a machine differ by this much, in logarithms. */
const DRIFT = 0.2

/** Draws numbers of each shape. Their variance is 1. @param random numbers from 0 to 1 */
function createNoise(random: () => number) {
  const normal = () => drawNormal(random)
  return { normal, heavy: () => normal() / Math.hypot(normal(), normal(), normal()) }
}

/** @param random numbers from 0 to 1 */
function drawRun(simulated: Simulated, random: () => number): Values {
  const { rows, blocks, scatter, correlation, shape, starts = 0 } = simulated
  const empty = () => Array.from({ length: rows }, () => new Map<number, number>())
  const metric = empty()
  const covariate = correlation === undefined ? undefined : empty()
  const noise = createNoise(random)
  const ofCovariate = createNoise(random)
  const started = Array.from({ length: rows }, () => (starts === 0 ? 0 : starts * noise.normal()))
  for (let block = 1; block <= blocks; block++) {
    const drift = DRIFT * noise.normal()
    for (let row = 0; row < rows; row++) {
      const shared = noise[shape]()
      metric[row]?.set(block, drift + (started[row] ?? 0) + scatter * shared)
      if (correlation === undefined) continue
      const own = Math.sqrt(1 - correlation ** 2) * ofCovariate[shape]()
      covariate?.[row]?.set(block, drift + scatter * (correlation * shared + own))
    }
  }
  return { metric, covariate }
}

/** Makes the comparison of rows that a run with these values makes. */
export const compareRun = ({ metric, covariate }: Values, design: Design = {}): CompareRows =>
  createComparison({ metric, covariate: covariate && { values: covariate }, better: 'lower', ...design })

/** Whether the interval of a row and its equal misses the truth. */
export const isWrong = ({ ci95 }: Ratio) => ci95 !== null && (ci95[0] > 1 || ci95[1] < 1)

/**
 * Compares each row of each run with the row above.
 * @returns the shares of intervals that miss the truth, and of pairs that a covariate decided
 */
export function judgeRuns(runs: readonly Values[]) {
  const ratios = runs.flatMap(run => {
    const compare = compareRun(run)
    return run.metric.slice(1).map((_, above) => compare(above + 1, above))
  })
  const share = (is: (ratio: Ratio) => boolean) => ratios.filter(is).length / ratios.length
  return { wrong: share(isWrong), adjusted: share(({ adjustment }) => adjustment?.decides ?? false) }
}

/** Simulates so many runs. */
export function drawRuns(simulated: Simulated, count: number, seed = 20_261_122): Values[] {
  const random = seededRandom(seed)
  return Array.from({ length: count }, () => drawRun(simulated, random))
}

/** Draws from the standard normal distribution (Box and Muller, A note on the generation of random normal deviates, 1958). */
export const drawNormal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
