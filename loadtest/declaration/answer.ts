import { concerns } from '../../app/concerns.ts'
import { counted, middle } from '../outcome/format.ts'
import { type Metric, metrics } from '../outcome/metrics.ts'
import type { Results, RowResult } from '../outcome/results.ts'
import { withoutLoad } from '../sample/rows-at-loads.ts'
import type { Ratio } from '../statistics/ratio.ts'
import { EQUIVALENCE, LEAST_VALUES } from '../statistics/thresholds.ts'

/** A row that changes the metric, against the row that it is compared with. */
interface Change {
  readonly name: string
  readonly ratio: Ratio | undefined
}

/**
 * Answers the question of a run in a few words: how much each row changes the metric, and where no difference was found.
 * On a ladder, where each row moves one concern, a row is compared with the row above, otherwise with the first row.
 */
export function answerOf(results: Results, metric: Metric): string {
  const { steps } = results
  const closed = steps.filter(({ baseline }) => baseline === undefined)
  const onCores = results.settings.baseline !== 'first' && steps.some(({ cores }) => cores)
  if ((closed.length === 0 && !onCores) || closed.length === steps.length)
    return answerAtOneLoad(results, metric)
  const others = Map.groupBy(steps.slice(closed.length), ({ baseline }) => baseline).values()
  const loads = [...(closed.length > 0 ? [closed] : []), ...others]
  return loads
    .map(rows => `${nameLoad(rows[0])}: ${answerAtOneLoad({ ...results, steps: rows }, metric)}`)
    .join(' ')
}

/** `Closed loop`, `At 30 % (198/s)`, or the name of the row that others are compared with. */
const nameLoad = (row: RowResult | undefined): string =>
  row?.baseline === undefined
    ? 'Closed loop'
    : row.baseline.slice(withoutLoad(row.baseline).length + 1).replace('at', 'At') || row.baseline

function answerAtOneLoad({ steps, settings, noisy }: Results, metric: Metric): string {
  const [first, ...others] = steps
  const last = others.at(-1)
  if (!first || !last) return 'This run has a single row, so it compares nothing.'
  const noun = `${metrics[metric].noun} of ${nameRequest(settings.scenario)}`
  const moves = others.map((row, index) => nameMove(row, steps[index] as RowResult))
  const isLadder = settings.baseline !== 'first' && moves.length > 1 && moves.every(move => move !== null)
  const baseline = nameBaseline(first)
  const changes = others
    .map((row, index) => ({
      name: isLadder ? (moves[index] as string) : `in ${row.name}`,
      versus: isLadder ? row.versusPrevious : row.versusFirst,
    }))
    .filter(({ versus }) => versus !== null)
    .map(({ name, versus }) => ({ name, ratio: versus?.[metric] }))
  const sentences = changes.every(({ ratio }) => !ratio?.ci95)
    ? [sayTooFew(settings.rounds, noun, [first, last], metric)]
    : [
        ...(isLadder ? [sumUp(noun, first, last, metric)] : []),
        ...describeChanges(isLadder ? 'By step:' : `Compared with ${baseline}, the ${noun} is`, changes),
      ]
  return [...sentences, ...(noisy ? ['These results are noisy.'] : [])].join(' ')
}

function nameBaseline({ name, baseline, ratePerSecond, node }: RowResult): string {
  if (baseline === undefined) return name
  const load = ratePerSecond === undefined ? '' : ' at the same load'
  return `${node ? 'the first version of the same step' : 'the first row'}${load}`
}

function describeChanges(intro: string, changes: readonly Change[]): string[] {
  const found = changes.flatMap(({ name, ratio }) => {
    const amount = describeAmount(ratio)
    return amount === null ? [] : [`${amount} ${name}`]
  })
  if (found.length === 0) return ['No single difference is larger than the scatter of this run.']
  const left = changes.length - found.length
  return [
    `${intro} ${found.join(', ')}.`,
    ...(left > 0
      ? [`The run found no clear difference in ${left === 1 ? 'the other row' : `the other ${left} rows`}.`]
      : []),
  ]
}

function sumUp(noun: string, first: RowResult, last: RowResult, metric: Metric): string {
  const ratio = last.versusFirst?.[metric]
  const between = `From ${first.name} to ${last.name}, the ${noun}`
  if (ratio?.verdict === 'equivalent') return `${between} stayed the same, within ${EQUIVALENCE * 100} %.`
  const amount = describeAmount(ratio)
  return amount === null
    ? `${between} did not change by more than the scatter of this run.`
    : `${between} became ${amount}.`
}

function sayTooFew(
  blocks: number,
  noun: string,
  [first, last]: readonly [RowResult, RowResult],
  metric: Metric,
): string {
  const few = blocks < LEAST_VALUES ? `${counted(blocks, 'block')} of samples` : 'So few valid samples'
  const [from, to] = [first, last].map(row => middle(row[metric], 0, false))
  return `${few} give no answer, only a first look: the median ${noun} is ${from} ${metrics[metric].unit} in ${first.name} and ${to} in ${last.name}.`
}

/** From this factor on a change is a number of times, not of percent. */
const MANY_TIMES = 2

/** `4.8 times less [4.2, 5.3]`, or `29 % less [20 %, 38 %]`; null when the verdict is not that there is a difference. */
function describeAmount(given: Ratio | undefined): string | null {
  const { ratio = null, ci95 = null, verdict } = given ?? {}
  if (ratio === null || ci95 === null || (verdict !== 'faster' && verdict !== 'slower')) return null
  const isLess = ratio < 1
  const isTimes = Math.max(ratio, 1 / ratio) >= MANY_TIMES
  const write = (value: number) => {
    const factor = isLess ? 1 / value : value
    return isTimes ? factor.toFixed(factor < 10 ? 1 : 0) : `${(Math.abs(1 - value) * 100).toFixed(0)} %`
  }
  const unit = isTimes ? (isLess ? 'times less' : 'times as much') : isLess ? 'less' : 'more'
  const ends = isLess ? ci95.toReversed() : ci95
  return `${write(ratio)} ${unit} [${ends.map(write).join(', ')}]`
}

/** Names the concern that a row moves, against the row above; null when it does not move exactly one. */
function nameMove({ composition }: RowResult, { composition: above }: RowResult): string | null {
  const [concern, ...others] = concerns.filter(each => above[each] !== composition[each])
  return concern && others.length === 0
    ? `by moving ${concern} from ${above[concern]} to ${composition[concern]}`
    : null
}

const severalRoutes: readonly string[] = ['mix', 'heavy']

const nameRequest = (scenario: string) =>
  severalRoutes.includes(scenario) ? `a request of ${scenario}` : `a /${scenario}`
