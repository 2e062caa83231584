import type { RowResult } from '../outcome/results.ts'

/** The name of a row in plots. */
export const nameOf = ({ number, name }: Pick<RowResult, 'number' | 'name'>): string =>
  number === null ? name : `${number} ${name}`

export const validSamples = ({ samples }: RowResult) => samples.filter(({ valid }) => valid)

export const percentiles = ['p50', 'p90', 'p99', 'max'] as const
export type Percentile = (typeof percentiles)[number]
