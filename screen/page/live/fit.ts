import type { Update } from '../../live-messages.ts'
import { niceMax } from '../nice-max.ts'
import type { Line } from './line.ts'
import { toColumns } from './points.ts'
import { type Peak, peaksAbove, topOf } from './scale.ts'

/** A peak of a line, with the name of the line's color. */
export type ColoredPeak = Peak & { readonly color: string }

/** The values of a chart, and the scales that fit them. */
export interface Fit {
  readonly columns: ReturnType<typeof toColumns>
  /** The end of the scale. */
  readonly top: number
  /** The values above the scale. */
  readonly peaks: readonly ColoredPeak[]
  /** The end of the scale of the band; zero if the band is empty. */
  readonly bandTop: number
}

/** @param max the end of the scale; without it, the scale fits the usual values */
export function fit(lines: readonly Line[], updates: readonly Update[], max?: number): Fit {
  const reads = lines.map(({ read }) => read)
  const [times, ...values] = toColumns(updates, reads)
  const all = lines.map((line, index) => ({ line, column: values[index] as (number | null)[] }))
  const above = all.filter(({ line }) => !line.isInBand)
  const inBand = all.filter(({ line }) => line.isInBand).flatMap(({ column }) => column)
  const bandMost = Math.max(0, ...inBand.map(value => value ?? 0))
  // Without any value above zero there is no band, and no line in it.
  const columns: Fit['columns'] = [
    times,
    ...all.map(({ line, column }) => (line.isInBand && bandMost === 0 ? column.map(() => null) : column)),
  ]
  const usual = topOf(
    times,
    above.map(({ column }) => column),
  )
  const top = max ?? niceMax(usual)
  return {
    columns,
    top,
    peaks: above.flatMap(({ line: { color }, column }) =>
      peaksAbove(top, times, column).map(peak => ({ ...peak, color })),
    ),
    bandTop: bandMost > 0 ? niceMax(bandMost) : 0,
  }
}
