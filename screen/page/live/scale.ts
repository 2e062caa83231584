/** Values of a line over time; null where there is none. */
export type Column = readonly (number | null)[]

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
export function topOf(times: readonly number[], columns: readonly Column[]): number {
  const from = (times.at(-1) ?? 0) - RECENT_SECONDS
  const recent = times.findIndex(time => time > from)
  const most = Math.max(0, ...columns.map(column => percentile(column, 1)))
  const usual = Math.max(
    0,
    ...columns.flatMap(column => [percentile(column, USUAL), percentile(column.slice(recent), 0.5)]),
  )
  return usual === 0 || most <= ROOM * usual ? most : MARGIN * usual
}

/** A value above the scale. */
export interface Peak {
  readonly time: number
  readonly value: number
}

/** The largest value of each stretch of a line that is above the scale. */
export function peaksAbove(top: number, times: readonly number[], column: Column): Peak[] {
  const peaks: Peak[] = []
  let isAbove = false
  for (const [index, value] of column.entries()) {
    const time = times[index] as number
    const last = peaks.at(-1)
    if (value !== null && value > top && !(isAbove && last && last.value >= value)) {
      if (isAbove) peaks.pop()
      peaks.push({ time, value })
    }
    isAbove = value !== null && value > top
  }
  return peaks
}

/** By nearest rank; zero without values. While nothing happens values are zero, which says nothing about a level. */
function percentile(column: Column, rank: number): number {
  const values = column
    .map(value => value ?? 0)
    .filter(value => value > 0)
    .sort((one, other) => one - other)
  return values[Math.max(0, Math.ceil(values.length * rank) - 1)] ?? 0
}
