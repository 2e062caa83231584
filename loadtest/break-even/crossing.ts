import { median, medianInterval } from '../statistics/median.ts'

/** What a task of a length costs on the main thread, and what it costs somewhere else. */
export interface Point {
  readonly lengthMicros: number
  readonly inline: number
  readonly elsewhere: number
}

/** A length of a task; or that it lies below the shortest, or above the longest that was measured. */
export type Length = number | 'below' | 'above'

/** From which length on a task should leave. */
export interface Crossing {
  /** Median of the rounds; null when they say nothing, or the opposite of each other. */
  readonly lengthMicros: Length | null
  /** By rank; null of fewer than six rounds. */
  readonly ci95: readonly [Length, Length] | null
  readonly rounds: readonly Length[]
}

/**
 * The length beyond which it is cheaper elsewhere at every length measured, by straight lines between logarithms.
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

/** The middle of what rounds found. Those beyond the range have their place in the order, and no value. */
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
