import { createComparison } from '../../loadtest/statistics/compare-rows.ts'
import { median } from '../../loadtest/statistics/median.ts'
import type { Ratio } from '../../loadtest/statistics/ratio.ts'
import { type Both, type Figures, names } from './running-side.ts'
import { slopeOfTurns } from './slope-of-turns.ts'

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
  { name: 'wake-ups/response', better: 'lower', value: ({ wakeUps }) => wakeUps },
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
