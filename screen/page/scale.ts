import type UPlot from 'uplot'

/** The possible ends of a scale, times a power of ten, each with the number of its divisions. */
const scales = [
  [1, 2],
  [1.5, 3],
  [2, 2],
  [3, 3],
  [4, 2],
  [5, 2],
  [6, 3],
  [8, 2],
  [10, 2],
] as const

/** The end of a scale that contains `value`, and the number of its divisions. */
const scaleOf = (value: number) => {
  const power = 10 ** Math.floor(Math.log10(value))
  const [factor, parts] = scales.find(([each]) => each * power >= value * (1 - 1e-9)) ?? [10, 2]
  return { max: factor * power, parts }
}

/** The end of a scale that contains `value`. */
export const niceMax = (value: number | null): number => (value ? scaleOf(value).max : 1)

/** The height of an axis label with its distance to the next, in em. */
const LABEL_EMS = 1.5

/**
 * The divisions of a scale from zero on, as many as there is room for. Its end always has a label.
 * @param readEm size of the font in pixels of the canvas
 */
export const splitFigures =
  (readEm: () => number) =>
  ({ bbox }: UPlot, _axis: number, _min: number, max: number): number[] => {
    const { parts: wanted } = scaleOf(max)
    const parts = bbox.height < wanted * LABEL_EMS * readEm() ? 1 : wanted
    const below = Array.from({ length: parts }, (_, index) => (max * index) / parts)
    return [...below, max]
  }

export const labelFigure = (figure: number): string =>
  figure.toLocaleString('en', { maximumSignificantDigits: 3 })

/** Values of a line over time; null where there is none. */
type Column = readonly (number | null)[]

/** This share of the values is usual: a fault or a start that took less than a fifth of the range is not. */
const USUAL = 0.8
/** A level that has lasted for more than half of this time is usual, too: the scale follows a lasting change. */
const RECENT_SECONDS = 8
/** The scale contains all values if the largest is at most this many times the usual ones. */
const ROOM = 3
/** Otherwise the scale ends above the usual values by this factor. */
const MARGIN = 1.25

/**
 * The value at which the scale of some lines ends, so that a short spike does not flatten everything else.
 * @param times seconds, ascending
 * @returns zero without values
 */
export function topOf(times: readonly number[], ...columns: readonly Column[]): number {
  const from = (times.at(-1) ?? 0) - RECENT_SECONDS
  const recent = times.findIndex(time => time > from)
  const most = Math.max(0, ...columns.map(column => percentile(column, 1)))
  const usual = Math.max(
    0,
    ...columns.flatMap(column => [percentile(column, USUAL), percentile(column.slice(recent), 0.5)]),
  )
  return usual === 0 || most <= ROOM * usual ? most : MARGIN * usual
}

/** By nearest rank; zero without values. While nothing happens values are zero, which says nothing about a level. */
function percentile(column: Column, rank: number): number {
  const values = column
    .map(value => value ?? 0)
    .filter(value => value > 0)
    .sort((one, other) => one - other)
  return values[Math.max(0, Math.ceil(values.length * rank) - 1)] ?? 0
}

/** A figure with about three digits, which is readable from far away. */
export function formatFigure(value: number | null | undefined): string {
  if (value === null || value === undefined) return '–'
  const digits = value >= 100 || value === 0 ? 0 : value >= 10 ? 1 : 2
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

export const formatCount = (value: number | null): string => value?.toLocaleString('en') ?? '–'

export const formatPercent = (share: number): string => `${Math.round(share * 100)}`
