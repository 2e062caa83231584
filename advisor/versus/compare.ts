import { createComparison } from '../../loadtest/statistics/compare-rows.ts'
import { fitSlope, type Slope } from '../../loadtest/statistics/control-variate.ts'
import { mean, standardError } from '../../loadtest/statistics/estimate.ts'
import { median } from '../../loadtest/statistics/median.ts'
import type { Ratio } from '../../loadtest/statistics/ratio.ts'
import { type Both, type Figures, names, type Turn } from './running-side.ts'

/** One measure of both sides, and its ratio, after over before. */
export type Comparison = ReturnType<typeof compare>[number]

interface Measure {
  readonly name: string
  readonly better: 'lower' | 'higher'
  /** Whether it follows the speed of the machine as the CPU time of the load generator does. */
  readonly isCpuTime?: boolean
  /** How it follows that, if its turns tell. */
  slope?(blocks: readonly Both<Figures>[]): ReturnType<typeof slopeOfTurns>
  value(sample: Figures): number | null
}

/** The first that both sides always have decides. */
const measures: readonly Measure[] = [
  {
    name: 'main thread, µs/response',
    better: 'lower',
    isCpuTime: true,
    slope: slopeOfTurns,
    value: ({ mainThreadMicros }) => mainThreadMicros,
  },
  {
    name: 'total CPU, µs/response',
    better: 'lower',
    isCpuTime: true,
    value: ({ totalMicros }) => totalMicros,
  },
  { name: 'responses/s', better: 'higher', value: ({ responsesPerSecond }) => responsesPerSecond },
  { name: 'p50, ms', better: 'lower', value: ({ p50Ms }) => p50Ms },
  { name: 'p99, ms', better: 'lower', value: ({ p99Ms }) => p99Ms },
]

/**
 * Compares both sides in every measure that both always have. Values of one block are paired, so that its noise cancels out. What
 * disturbs only one side of a block, the load generator shows: its work for a response is the same on both sides. So its CPU
 * time adjusts theirs, unless it differs between the sides by more than its noise (see `loadtest/statistics/control-variate.ts`).
 * @param looks whether the comparison looked at its verdict while it went on
 */
export function compare(blocks: readonly Both<Figures>[], looks = true) {
  return measures.flatMap(({ name, better, isCpuTime = false, slope, value }) => {
    const values = names.map(side => blocks.map(block => value(block[side]) ?? 0))
    if (values.flat().some(each => !(each > 0))) return []
    const metric = values.map(logsByBlock)
    const generator = names.map(side => logsByBlock(blocks.map(block => block[side].generatorMicros)))
    const createRatio = createComparison({
      metric,
      // What a response costs the load generator.
      covariate: isCpuTime ? { values: generator, slope: slope?.(blocks) ?? null } : undefined,
      better,
      looks,
    })
    const ratio = createRatio(1, 0)
    const [before = null, after = null] = values.map(each => median(each))
    return { measure: name, better, before, after, ratio }
  })
}

const logsByBlock = (values: readonly number[]) =>
  new Map(values.map((value, block) => [block, Math.log(value)]))

/** The ratio on whose verdict the comparison ends. */
export const decide = (blocks: readonly Both<Figures>[]): Ratio | undefined => compare(blocks)[0]?.ratio

/** More turns than a block has. */
const MOST_TURNS = 100_000
/** Fewer blocks do not tell how much they scatter. */
const LEAST_BLOCKS = 3

/**
 * How main-thread cost follows the cost of the load generator from turn to turn. A block has some forty turns, so this slope is
 * known long before that of whole blocks is. Its scatter is that of blocks once the slope is taken out, because two processes
 * may differ for longer than a turn.
 * @returns null if the turns do not tell
 */
function slopeOfTurns(blocks: readonly Both<Figures>[]): Slope | null {
  if (blocks.length < LEAST_BLOCKS) return null
  const logsOf = (key: 'mainMicros' | 'generatorMicros') =>
    names.map(
      side => new Map(blocks.flatMap((block, index) => centred(block[side].turns, key, index * MOST_TURNS))),
    )
  const fitted = fitSlope(logsOf('mainMicros'), logsOf('generatorMicros'))
  if (!fitted) return null
  const differences = blocks.map(({ before, after }) => {
    const ofMain = Math.log((after.mainThreadMicros ?? Number.NaN) / (before.mainThreadMicros ?? Number.NaN))
    return ofMain - fitted.slope * Math.log(after.generatorMicros / before.generatorMicros)
  })
  // The variance of a difference is twice that of one side.
  const variance = (standardError(differences) ** 2 * differences.length) / 2
  return { ...fitted, variance, degrees: differences.length - 1, cost: 0 }
}

/** The logarithms of what a response cost in each turn, less their mean: what one process costs by itself is not the noise of turns. */
function centred(turns: readonly Turn[], key: 'mainMicros' | 'generatorMicros', firstPlace: number) {
  const logs = turns.flatMap((turn, place) => {
    const log = Math.log(turn[key] / turn.responses)
    return Number.isFinite(log) ? [[firstPlace + place, log] as const] : []
  })
  const middle = mean(logs.map(([, log]) => log))
  return logs.map(([place, log]) => [place, log - middle] as const)
}
