import { median } from '../../loadtest/statistics/median.ts'
import { pairedRatio, type Ratio } from '../../loadtest/statistics/ratio.ts'
import type { Block } from './bodies.ts'
import type { Sample } from './take-sample.ts'

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

const measures: readonly Measure[] = [
  { name: 'main thread, µs/response', better: 'lower', value: ({ mainThreadMicros }) => mainThreadMicros },
  { name: 'total CPU, µs/response', better: 'lower', value: ({ totalMicros }) => totalMicros },
  { name: 'responses/s', better: 'higher', value: ({ responsesPerSecond }) => responsesPerSecond },
  { name: 'p50, ms', better: 'lower', value: ({ p50Ms }) => p50Ms },
  { name: 'p99, ms', better: 'lower', value: ({ p99Ms }) => p99Ms },
]

/** Compares both sides in every measure that both have. Values of one block are paired, so that its noise cancels out. */
export function compare(blocks: readonly Block[]): Comparison[] {
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
      ratio: pairedRatio(pairs, better),
    }
  })
}
