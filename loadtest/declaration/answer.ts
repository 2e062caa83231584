import { counted, formatRatio, middle, percent, sayTimes } from '../outcome/format.ts'
import { type Metric, metrics } from '../outcome/metrics.ts'
import type { Results, RowResult, Settings } from '../outcome/results.ts'
import { withoutLoad } from '../sample/compared-rows.ts'
import type { Ratio } from '../statistics/ratio.ts'
import { LEAST_VALUES } from '../statistics/thresholds.ts'

/**
 * Answers the question of a run in its figures: the ratio of each row for which the run has found a difference, to the row that
 * it is compared with, and which rows have none. Rows at each load are answered for themselves.
 */
export function answerOf(results: Results, metric: Metric): string {
  const { steps, settings, noisy } = results
  const byLoad = [...Map.groupBy(steps, ({ baseline }) => baseline).values()]
  const groups = byLoad.every(({ length }) => length > 1) ? byLoad : [steps]
  const answers = groups.map(rows => answerAtOneLoad(rows, settings, metric))
  return [...answers, ...(noisy ? ['These results are noisy.'] : [])].join(' ')
}

/** The same below a table that has all ratios: what they come to, and what the run would have found. */
export function answerInShort(results: Results, metric: Metric): string {
  const { steps, settings } = results
  const which = settings.baseline === 'first' ? 'versusFirst' : 'versusPrevious'
  const effects = steps.flatMap(({ [which]: versus }) => {
    const ratio = versus?.[metric] as Ratio | undefined
    return ratio?.verdict === 'inconclusive' ? (ratio.smallestDetectableEffect ?? []) : []
  })
  const [first, last] = [steps[0], steps.at(-1)]
  const isLadder = steps.length > 2 && settings.baseline === 'previous' && !last?.baseline
  const whole = isLadder && last?.versusFirst?.[metric]
  const sentences = [
    ...(whole ? [`From ${first?.name} to ${last?.name}: ${sayTimes(whole)}.`] : []),
    ...(effects.length > 0
      ? [
          `Where it cannot tell, a longer run could: this one finds ${sayEffect(Math.max(...effects))} or more.`,
        ]
      : []),
  ]
  return sentences.join(' ') || answerOf(results, metric)
}

/** A difference as a share, or as a factor if it is more than all. */
const sayEffect = (share: number): string =>
  share < 1 ? percent(share) : `a factor of ${Math.round(1 + share)}`

function answerAtOneLoad(rows: readonly RowResult[], settings: Settings, metric: Metric): string {
  const which = settings.baseline === 'first' ? 'versusFirst' : 'versusPrevious'
  const [first, last] = [rows[0], rows.at(-1)]
  if (!first || !last || first === last) return 'This run has a single row, so it compares nothing.'
  const noun = `${metrics[metric].noun} of ${nameRequest(first.scenario ?? settings.scenario)}${nameLoad(first)}`
  const compared = rows.flatMap(({ name, [which]: versus }) =>
    versus ? [{ name: withoutLoad(name), ratio: versus[metric] as Ratio | undefined }] : [],
  )
  if (compared.every(({ ratio }) => !ratio?.ci95))
    return sayTooFew(settings.rounds, noun, first, last, metric)
  const found = compared.filter(({ ratio }) => isFound(ratio))
  const against = which === 'versusPrevious' ? 'the row above' : withoutLoad(first.baseline ?? first.name)
  const parts = [
    ...found.map(({ name, ratio }) => `${name} ${formatRatio(ratio, 2)}`),
    ...compared.filter(({ ratio }) => ratio?.verdict === 'equivalent').map(({ name }) => `${name} the same`),
  ]
  const whole = which === 'versusPrevious' && rows.length > 2 ? last.versusFirst?.[metric] : undefined
  const sum = whole
    ? ` From ${withoutLoad(first.name)} to ${withoutLoad(last.name)}: ${formatRatio(whole, 2)}.`
    : ''
  const told = parts.length > 0 ? `: ${parts.join(', ')}.` : '.'
  return `The ${noun}, × ${against}${told}${sayOpen(compared)}${sum}`
}

const isFound = (ratio: Ratio | undefined) => ratio?.verdict === 'faster' || ratio?.verdict === 'slower'

/** Names the rows whose difference the run cannot tell, and the smallest difference that it would mostly have found. */
function sayOpen(compared: readonly { readonly name: string; readonly ratio: Ratio | undefined }[]): string {
  const open = compared.filter(({ ratio }) => !ratio || ratio.verdict === 'inconclusive')
  if (open.length === 0) return ''
  const names = open.map(({ name, ratio }, index) => {
    const effect = ratio?.smallestDetectableEffect
    return effect ? `${name} (${index === 0 ? 'this run finds ' : ''}${percent(effect)} or more)` : name
  })
  return ` Cannot tell ${names.join(', ')}. A longer run could.`
}

/** ` at 30 % (198/s)`; empty in a closed loop. */
const nameLoad = ({ name }: RowResult) => name.slice(withoutLoad(name).length)

function sayTooFew(blocks: number, noun: string, first: RowResult, last: RowResult, metric: Metric): string {
  const few = blocks < LEAST_VALUES ? `${counted(blocks, 'block')} of samples` : 'So few valid samples'
  const [from, to] = [first, last].map(row => middle(row[metric], 0, false))
  return `${few} give no answer, only a first look: the median ${noun} is ${from} ${metrics[metric].unit} in ${withoutLoad(first.name)} and ${to} in ${withoutLoad(last.name)}.`
}

const severalRoutes: readonly string[] = ['mix', 'heavy']

const nameRequest = (scenario: string) =>
  severalRoutes.includes(scenario) ? `a request of ${scenario}` : `a /${scenario}`
