import { createComparison } from '../../loadtest/statistics/compare-rows.ts'
import { median } from '../../loadtest/statistics/median.ts'
import type { Ratio } from '../../loadtest/statistics/ratio.ts'
import { type Block, names, type Sample } from './sample.ts'
import { slopeOfTurns } from './slope-of-turns.ts'

/** One measure of both sides. */
export interface Comparison {
  readonly measure: string
  readonly before: number | null
  readonly after: number | null
  /** After over before. */
  readonly ratio: Ratio
}

interface Measure {
  readonly name: string
  readonly better: 'lower' | 'higher'
  /** Whether it follows the speed of the machine as the CPU time of the load generator does. */
  readonly isCpuTime?: boolean
  /** How it follows that, if its turns tell. */
  slope?(blocks: readonly Block[]): ReturnType<typeof slopeOfTurns>
  value(sample: Sample): number | null
}

/** The first that both sides have decides. */
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

/** The covariate: what a response costs the load generator. */
const GENERATOR = 'generator'

/**
 * Compares both sides in every measure that both have. Values of one block are paired, so that its noise cancels out. What
 * disturbs only one side of a block, the load generator shows: its work for a response is the same on both sides. So its CPU
 * time adjusts theirs, unless it differs between the sides by more than its noise (see `loadtest/statistics/control-variate.ts`).
 * @param looks whether the comparison looked at its verdict while it went on
 */
export function compare(blocks: readonly Block[], looks = true): Comparison[] {
  return measures.flatMap(({ name, better, isCpuTime = false, slope, value }) => {
    const known = blocks.filter(({ before, after }) => isKnown(value(before)) && isKnown(value(after)))
    if (known.length === 0) return []
    const values = names.map(side => known.map(block => value(block[side]) as number))
    const metric = values.map(logsByBlock)
    const generator = names.map(side => logsByBlock(known.map(block => block[side].generatorMicros)))
    const createRatio = createComparison({
      metric,
      covariates: { [GENERATOR]: generator },
      slopes: { [GENERATOR]: slope?.(known) ?? null },
      better,
      looks,
    })
    const ratio = createRatio(1, 0, isCpuTime ? [GENERATOR] : [])
    const [before = null, after = null] = values.map(median)
    return { measure: name, before, after, ratio }
  })
}

const isKnown = (value: number | null) => value !== null && value > 0

const logsByBlock = (values: readonly number[]) =>
  new Map(values.map((value, block) => [block, Math.log(value)]))

/** The ratio on whose verdict the comparison ends. */
export const decide = (blocks: readonly Block[]): Ratio | undefined => compare(blocks)[0]?.ratio
