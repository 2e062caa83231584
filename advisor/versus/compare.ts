import { confidenceOfLook, firstLook } from '../../loadtest/statistics/looks.ts'
import { mean, standardError } from '../../loadtest/statistics/mean.ts'
import { median } from '../../loadtest/statistics/median.ts'
import { describe, pairedRatio, type Ratio } from '../../loadtest/statistics/ratio.ts'
import { studentQuantile } from '../../loadtest/statistics/student.ts'
import type { Block } from './bodies.ts'
import type { Sample } from './sample.ts'

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
  value(sample: Sample): number | null
}

/** The first that both sides have decides. */
const measures: readonly Measure[] = [
  { name: 'main thread, µs/response', better: 'lower', value: ({ mainThreadMicros }) => mainThreadMicros },
  { name: 'total CPU, µs/response', better: 'lower', value: ({ totalMicros }) => totalMicros },
  { name: 'wake-ups/response', better: 'lower', value: ({ wakeUps }) => wakeUps },
  { name: 'responses/s', better: 'higher', value: ({ responsesPerSecond }) => responsesPerSecond },
  { name: 'p50, ms', better: 'lower', value: ({ p50Ms }) => p50Ms },
  { name: 'p99, ms', better: 'lower', value: ({ p99Ms }) => p99Ms },
]

/**
 * Compares both sides in every measure that both have. Values of one block are paired, so that its noise cancels out.
 * @param looks whether the comparison looked at its verdict while it went on
 */
export function compare(blocks: readonly Block[], looks = true): Comparison[] {
  return measures.flatMap(({ name, better, value }) => {
    const pairs = blocks.flatMap(({ before, after }): [number, number][] => {
      const [own, other] = [value(after), value(before)]
      return own !== null && other !== null && own > 0 && other > 0 ? [[own, other]] : []
    })
    if (pairs.length === 0) return []
    return {
      measure: name,
      before: median(pairs.map(([, other]) => other)),
      after: median(pairs.map(([own]) => own)),
      ratio: looks ? ratioOfLook(pairs, better) : pairedRatio(pairs, better),
    }
  })
}

/** The ratio on whose verdict the comparison ends. */
export const decide = (blocks: readonly Block[]): Ratio | undefined => compare(blocks)[0]?.ratio

/**
 * The geometric mean of ratios. Its interval has the confidence of a look, so that all looks together are rarely wrong (see
 * `confidenceOfLook`), by Student's t.
 */
function ratioOfLook(pairs: readonly [number, number][], better: Measure['better']): Ratio {
  const logs = pairs.map(([own, other]) => Math.log(own / other))
  const isEnough = logs.length >= firstLook(2)
  const error = isEnough ? standardError(logs) : Number.POSITIVE_INFINITY
  const quantile = isEnough ? studentQuantile(confidenceOfLook(2, logs.length), logs.length - 1) : 1
  return describe({ value: mean(logs), standardError: error, halfWidth: quantile * error }, better)
}
