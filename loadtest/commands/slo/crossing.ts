import { seededRandom } from '../../../lib/random.ts'
import { mean } from '../../statistics/mean.ts'
import { RESAMPLES } from '../../statistics/thresholds.ts'
import type { Trial } from './search.ts'

/** How far one sample may lie from the limit, as a logarithm: a queue that grows without end counts as 3 times the limit. */
const MOST_EXCESS = Math.log(3)
/** An interval needs this many samples that hold or fail. */
export const LEAST_TRIALS = 10
/**
 * Half the width of an interval of many samples, in standard errors, and the samples that the search spends before it is
 * near the crossing. `coverage.long.ts` shows that at least 94 of 100 intervals contain the rate.
 */
const HALF_WIDTH = 2.5
const SPENT_TRIALS = 6
/** A fixed seed: the same trials always have the same interval. */
const SEED = 1

/** A sample on logarithmic scales. */
interface Point {
  readonly x: number
  readonly y: number
  readonly weight: number
}

/**
 * The rate at which p99 reaches the limit. Queues only grow with the rate, so p99 is fitted by an increasing function
 * (isotonic regression, pool adjacent violators: Barlow and others, Statistical Inference under Order Restrictions,
 * 1972), with each pooled group at its own mean rate and straight lines between groups (centred isotonic regression:
 * Oron and Flournoy, 2017). All of it is on logarithmic scales.
 * @returns requests a second; 0 or infinite when all samples lie on one side of the limit
 */
export const findCrossing = (trials: readonly Trial[]): number => crossingOf(toPoints(trials))

/**
 * Half the width of the 95 % interval around the logarithm of the crossing: its standard error by the bootstrap over
 * trials (Efron and Tibshirani, An Introduction to the Bootstrap, 1993), widened where few trials were spent near the
 * crossing. A resample whose trials all lie on one side of the limit has its crossing at the end of the rates.
 * @returns infinity for fewer than {@link LEAST_TRIALS} trials
 */
export function findHalfWidth(trials: readonly Trial[]): number {
  const points = toPoints(trials)
  if (points.length < LEAST_TRIALS) return Number.POSITIVE_INFINITY
  const random = seededRandom(SEED)
  const draw = () => points[Math.floor(random() * points.length)] as Point
  const xs = points.map(({ x }) => x)
  const [lowest, highest] = [Math.min(...xs), Math.max(...xs)]
  const crossings = Array.from({ length: RESAMPLES }, () =>
    Math.min(Math.max(Math.log(crossingOf(points.map(draw))), lowest), highest),
  )
  const middle = mean(crossings)
  const error = Math.sqrt(mean(crossings.map(crossing => (crossing - middle) ** 2)))
  return HALF_WIDTH * Math.sqrt(points.length / (points.length - SPENT_TRIALS)) * error
}

export const isDecided = ({ outcome }: Pick<Trial, 'outcome'>): boolean =>
  outcome === 'holds' || outcome === 'fails'

const toPoints = (trials: readonly Trial[]): Point[] =>
  trials.filter(isDecided).map(({ ratePerSecond, excess }) => ({
    x: Math.log(ratePerSecond),
    y: Math.min(Math.max(excess, -MOST_EXCESS), MOST_EXCESS),
    weight: 1,
  }))

function crossingOf(points: readonly Point[]): number {
  const groups = poolViolators(points)
  const above = groups.findIndex(({ y }) => y > 0)
  const [low, high] = [groups.at(above < 0 ? -1 : above - 1), groups[above]]
  if (!high) return Number.POSITIVE_INFINITY
  if (!low || above === 0) return 0
  return Math.exp(low.x + ((high.x - low.x) * -low.y) / (high.y - low.y))
}

/** Groups of points, by x, whose means of y do not decrease. */
function poolViolators(points: readonly Point[]): Point[] {
  const groups: Point[] = []
  for (const point of points.toSorted((one, other) => one.x - other.x)) {
    let group = point
    for (
      let before = groups.at(-1);
      before && (before.y >= group.y || before.x === group.x);
      before = groups.at(-1)
    ) {
      groups.pop()
      group = merge(before, group)
    }
    groups.push(group)
  }
  return groups
}

function merge(one: Point, other: Point): Point {
  const weight = one.weight + other.weight
  const mean = (of: 'x' | 'y') => (one[of] * one.weight + other[of] * other.weight) / weight
  return { x: mean('x'), y: mean('y'), weight }
}
