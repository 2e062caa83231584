import { counted, formatRatio, middle, percent } from '../outcome/format.ts'
import { type Metric, metrics } from '../outcome/metrics.ts'
import type { Results, RowResult, Settings } from '../outcome/results.ts'
import { withoutLoad } from '../sample/compared-rows.ts'
import type { Ratio } from '../statistics/ratio.ts'
import { LEAST_VALUES } from '../statistics/thresholds.ts'

/**
 * Answers the question of a run in its figures: the ratio of each row for which the run has found a difference, to the row that
 * it is compared with, and which rows have none. Rows at each load are answered for themselves.
 * @param isInShort leaves out the ratios: a table above has them
 */
export function answerOf(results: Results, metric: Metric, isInShort = false): string {
  const { steps, settings, noisy } = results
  const byLoad = [...Map.groupBy(steps, ({ baseline }) => baseline).values()]
  const groups = byLoad.every(({ length }) => length > 1) ? byLoad : [steps]
  const answers = groups.map(rows => answerAtOneLoad(rows, settings, metric, isInShort))
  return [...answers, ...(noisy && !isInShort ? ['These results are noisy.'] : [])].join(' ')
}

function answerAtOneLoad(
  rows: readonly RowResult[],
  { baseline, scenario, rounds }: Settings,
  metric: Metric,
  isInShort: boolean,
): string {
  const which = baseline === 'first' ? 'versusFirst' : 'versusPrevious'
  const [first, last] = [rows[0], rows.at(-1)]
  if (!first || !last || first === last) return 'This run has a single row, so it compares nothing.'
  const noun = `${metrics[metric].noun} of ${nameRequest(first.scenario ?? scenario)}${nameLoad(first)}`
  const compared = rows.flatMap(({ name, [which]: versus }) =>
    versus ? [{ name: withoutLoad(name), ratio: versus[metric] as Ratio | undefined }] : [],
  )
  if (compared.every(({ ratio }) => !ratio?.ci95)) return sayTooFew(rounds, noun, first, last, metric)
  const against = which === 'versusPrevious' ? 'the row above' : withoutLoad(first.baseline ?? first.name)
  const told = [
    ...compared
      .filter(({ ratio }) => ratio?.verdict === 'faster' || ratio?.verdict === 'slower')
      .map(({ name, ratio }) => `${name} ${formatRatio(ratio, 2)}`),
    ...compared.filter(({ ratio }) => ratio?.verdict === 'equivalent').map(({ name }) => `${name} the same`),
  ]
  const listed = [`The ${noun}, × ${against}`, ...(told.length > 0 ? [told.join(', ')] : [])].join(': ')
  const whole = which === 'versusPrevious' && rows.length > 2 ? last.versusFirst?.[metric] : undefined
  const sum =
    whole && `From ${withoutLoad(first.name)} to ${withoutLoad(last.name)}: ${formatRatio(whole, 2)}.`
  const others = [sayOpen(compared), sum].filter(Boolean)
  return [...(isInShort && others.length > 0 ? [] : [`${listed}.`]), ...others].join(' ')
}

/** Names the rows whose difference the run cannot tell, and the smallest difference that it would mostly have found. */
function sayOpen(compared: readonly { readonly name: string; readonly ratio: Ratio | undefined }[]): string {
  const open = compared.filter(({ ratio }) => !ratio || ratio.verdict === 'inconclusive')
  if (open.length === 0) return ''
  const names = open.map(({ name, ratio }, index) => {
    const effect = ratio?.smallestDetectableEffect
    return effect ? `${name} (${index === 0 ? 'this run finds ' : ''}${percent(effect)} or more)` : name
  })
  return `Cannot tell ${names.join(', ')}. A longer run could.`
}

/** ` at 30 % (198/s)`; empty in a closed loop. */
const nameLoad = ({ name }: RowResult) => name.slice(withoutLoad(name).length)

function sayTooFew(blocks: number, noun: string, first: RowResult, last: RowResult, metric: Metric): string {
  const few = blocks < LEAST_VALUES ? `${counted(blocks, 'block')} of samples` : 'So few valid samples'
  const [from, to] = [first, last].map(row => middle(row[metric], 0, false))
  return `${few} give no answer, only a first look: the median ${noun} is ${from} ${metrics[metric].unit} in ${withoutLoad(first.name)} and ${to} in ${withoutLoad(last.name)}.`
}

const nameRequest = (scenario: string) =>
  scenario === 'mix' || scenario === 'heavy' ? `a request of ${scenario}` : `a /${scenario}`
