import { counted, formatRatio, middle } from '../outcome/format.ts'
import { type Metric, metrics } from '../outcome/metrics.ts'
import type { Results, RowResult, Settings } from '../outcome/results.ts'
import { withoutLoad } from '../sample/rows-at-loads.ts'
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

function answerAtOneLoad(rows: readonly RowResult[], settings: Settings, metric: Metric): string {
  const which = settings.baseline === 'first' ? 'versusFirst' : 'versusPrevious'
  const [first, last] = [rows[0], rows.at(-1)]
  if (!first || !last || first === last) return 'This run has a single row, so it compares nothing.'
  const noun = `${metrics[metric].noun} of ${nameRequest(settings.scenario)}${nameLoad(first)}`
  const compared = rows.flatMap(({ name, [which]: versus }) =>
    versus ? [{ name: withoutLoad(name), ratio: versus[metric] as Ratio | undefined }] : [],
  )
  if (compared.every(({ ratio }) => !ratio?.ci95))
    return sayTooFew(settings.rounds, noun, first, last, metric)
  const found = compared.filter(({ ratio }) => isFound(ratio))
  const others = compared.filter(({ ratio }) => !isFound(ratio)).map(({ name }) => name)
  const against = which === 'versusPrevious' ? 'the row above' : withoutLoad(first.baseline ?? first.name)
  const parts = [
    ...found.map(({ name, ratio }) => `${name} ${formatRatio(ratio, 2)}`),
    ...(others.length > 0 ? [`no clear difference in ${others.join(', ')}`] : []),
  ]
  const whole = which === 'versusPrevious' && rows.length > 2 ? last.versusFirst?.[metric] : undefined
  const sum = whole
    ? ` From ${withoutLoad(first.name)} to ${withoutLoad(last.name)}: ${formatRatio(whole, 2)}.`
    : ''
  return `The ${noun}, × ${against}: ${parts.join(', ')}.${sum}`
}

const isFound = (ratio: Ratio | undefined) => ratio?.verdict === 'faster' || ratio?.verdict === 'slower'

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
