import { median, medianInterval } from '../../statistics/median.ts'

export interface Point {
  readonly lengthMicros: number
  readonly inline: number
  readonly elsewhere: number
}

/** The length of a task, or `below` the shortest or `above` the longest measured length. */
export type Length = number | 'below' | 'above'

export interface Crossing {
  /** Median of the rounds; null when there are none, or when they contradict each other. */
  readonly lengthMicros: Length | null
  /** Interval by rank; null for fewer than six rounds. */
  readonly ci95: readonly [Length, Length] | null
  readonly rounds: readonly Length[]
}

/**
 * Finds the length above which tasks of all measured lengths are cheaper elsewhere, by straight lines between logarithms.
 * @param points of one round, in ascending order of length
 */
export function findCrossing(points: readonly Point[]): Length {
  const leads = points.map(({ inline, elsewhere }) => Math.log(inline / elsewhere))
  const last = leads.findLastIndex(lead => lead <= 0)
  if (last === points.length - 1) return 'above'
  if (last === -1) return 'below'
  const [before, after] = [points[last], points[last + 1]] as [Point, Point]
  const [from, to] = [leads[last], leads[last + 1]] as [number, number]
  const share = from / (from - to)
  return before.lengthMicros * (after.lengthMicros / before.lengthMicros) ** share
}

/** By their median. Lengths outside of the measured range count in the order, but have no value. */
export function describeCrossing(rounds: readonly Length[]): Crossing {
  const logs = rounds.map(toLog)
  const interval = medianInterval(logs)
  const middle = median(logs)
  return {
    lengthMicros: middle === null || Number.isNaN(middle) ? null : fromLog(middle),
    ci95: interval && [fromLog(interval[0]), fromLog(interval[1])],
    rounds,
  }
}

const toLog = (length: Length): number =>
  length === 'below'
    ? Number.NEGATIVE_INFINITY
    : length === 'above'
      ? Number.POSITIVE_INFINITY
      : Math.log(length)

const fromLog = (log: number): Length => (Number.isFinite(log) ? Math.exp(log) : log < 0 ? 'below' : 'above')
