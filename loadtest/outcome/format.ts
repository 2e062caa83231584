import { percent as sayPercent } from '../../lib/units.ts'
import type { Sample } from '../sample/sample.ts'
import { type Interval, type Median, median } from '../statistics/median.ts'
import type { Ratio } from '../statistics/ratio.ts'
import type { RowResult } from './results.ts'

export function middle({ median, ci95 }: Median, digits: number, withInterval = true): string {
  return withInterval && ci95 ? `${fixed(median, digits)} ${interval(ci95, digits)}` : fixed(median, digits)
}

export const scaled = ({ median, ci95 }: Median, factor: number): Median => ({
  median: median === null ? null : median * factor,
  ci95: ci95 && [ci95[0] * factor, ci95[1] * factor],
})

/** Formats a ratio, with its interval if there is one. Below 0.1 it has a digit more, or the ends of the interval would be alike. */
export function formatRatio(given: Pick<Ratio, 'ratio' | 'ci95'> | undefined, digits: number): string {
  const shown = (given?.ratio ?? 1) < 0.1 ? digits + 1 : digits
  return given?.ci95
    ? `${fixed(given.ratio, shown)} ${interval(given.ci95, shown)}`
    : fixed(given?.ratio ?? null, shown)
}

/** A ratio in a sentence: `0.13 × [0.08, 0.25]`. */
export const sayTimes = (given: Pick<Ratio, 'ratio' | 'ci95'> | undefined): string =>
  formatRatio(given, 2).replace(/ |$/, ' × ').trim()

const interval = ([low, high]: Interval, digits: number) =>
  `[${low.toFixed(digits)}, ${high.toFixed(digits)}]`

/** Formats a share as `12 %`; a dash when there is none. */
export const percent = (value: number | null | undefined, digits = 0) =>
  value === null || value === undefined ? '-' : sayPercent(value, digits)

/** `1 sample`, `2 samples`. */
export const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

/** A dash stands for NaN, and for null and undefined, which earlier runs may have. */
export const fixed = (value: number | null | undefined, digits: number) =>
  value === null || value === undefined || Number.isNaN(value) ? '-' : value.toFixed(digits)

/** Over the valid samples. */
export function middleOf({ samples }: RowResult, value: (sample: Sample) => number): number | null {
  return median(samples.filter(sample => sample.valid).map(value))
}
