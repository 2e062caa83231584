import { median } from '../statistics/median.ts'
import type { CellFigures, ValidationSample, ValidationSituation } from './results.ts'

/** A cell of the validation: the model against the samples of one situation, which are one of each block. */
export interface ValidationCell extends ValidationSituation {
  readonly samples: readonly ValidationSample[]
  /** Medians of the valid samples; null if none is valid. */
  readonly compared: {
    readonly measured: CellFigures
    readonly predicted: CellFigures
    /** By which share the predictions are above the measurements of their blocks; negative if they are below. */
    readonly error: CellErrors
    /** By which share the highest measurement is above the lowest. */
    readonly scatter: CellErrors
  } | null
}

/** A share for each figure that is compared. */
export type CellErrors = Readonly<Record<ComparedFigure, number>>
export const comparedFigures = ['goodput', 'p99'] as const
export type ComparedFigure = (typeof comparedFigures)[number]

/** The samples of each situation. */
export const toCells = (validation: readonly ValidationSample[]): ValidationCell[] =>
  [...Map.groupBy(validation, keyOf).values()].map(samples => {
    const { number, name, cores, connections, sharePercent, ratePerSecond } = samples[0] as ValidationSample
    const situation = { number, name, cores, connections, sharePercent, ratePerSecond }
    return { ...situation, samples, compared: compareSamples(samples.filter(({ valid }) => valid)) }
  })

const keyOf = ({ name, cores, connections, sharePercent }: ValidationSample): string =>
  [name, cores, connections, sharePercent].join()

function compareSamples(samples: readonly ValidationSample[]): ValidationCell['compared'] {
  if (samples.length === 0) return null
  const forEachFigure = (of: (figure: ComparedFigure) => number): CellErrors => ({
    goodput: of('goodput'),
    p99: of('p99'),
  })
  return {
    measured: middleOf(samples.map(({ measured }) => measured)),
    predicted: middleOf(samples.map(({ predicted }) => predicted)),
    error: forEachFigure(figure =>
      middle(samples.map(({ measured, predicted }) => read[figure](predicted) / read[figure](measured) - 1)),
    ),
    scatter: forEachFigure(figure => {
      const values = samples.map(({ measured }) => read[figure](measured))
      return Math.max(...values) / Math.min(...values) - 1
    }),
  }
}

const read: Readonly<Record<ComparedFigure, (figures: CellFigures) => number>> = {
  goodput: ({ goodput }) => goodput,
  p99: ({ latencyMs }) => latencyMs.p99,
}

const middle = (values: readonly number[]): number => median(values) as number

const middleOf = (all: readonly CellFigures[]): CellFigures => ({
  goodput: middle(all.map(({ goodput }) => goodput)),
  latencyMs: {
    p50: middle(all.map(({ latencyMs }) => latencyMs.p50)),
    p99: middle(all.map(({ latencyMs }) => latencyMs.p99)),
  },
  mainThreadMicros: middle(all.map(({ mainThreadMicros }) => mainThreadMicros)),
  totalMicros: middle(all.map(({ totalMicros }) => totalMicros)),
})
