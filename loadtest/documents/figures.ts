import { middleOf } from '../outcome/format.ts'
import { forEachMetric, type Metric, metrics } from '../outcome/metrics.ts'
import type { Results } from '../outcome/results.ts'
import { type Slice, slices } from '../spectrum/spectrum.ts'
import { median } from '../statistics/median.ts'
import type { Ratio } from '../statistics/ratio.ts'
import { isPublished, type RunName, resultsOf, runs } from './runs.ts'
import { classOf, sayMedian, sayRatio, type Unit } from './words.ts'

/**
 * A figure in prose: the words between `<!--=RUN.ROW.WHAT-->` and `<!--/-->`. They are derived from the results of the run.
 *
 *   ladder.7.versusFirst            what is left of step 0's main-thread cost: `an eighteenth`
 *   ladder.7.versusFirst.goodput    of another metric: `1.6 times`
 *   …|change                        the same as `two thirds less`
 *   ladder.7.mainThreadMicros       a median with its unit: `77 µs`
 *   ladder.7.busy                   how busy the main thread is: `10 %`
 *   ladder.0.spectrum.compute       the part of a concern in the main thread's time: `65 %`
 *   benchApm.CASE                   nanoseconds of a case of a bench
 *
 * A row is named by the number of its step, by its place in the table (`#0` is the first), or by its name, with `_` for each space.
 */
const REFERENCE = /<!--=([a-z][^>]*?)-->([\s\S]*?)<!--\/-->/g

/** The words of a reference that is new, until `npm run docs` writes them. */
const UNSAID = '?'

export interface Figure {
  readonly path: string
  /** The words in the text. */
  readonly words: string
  /** The words that the results give; null if the run is not published. */
  readonly rendered: string | null
  readonly index: number
}

/** All figures of a text. @throws RangeError for a reference to something that no run has */
export const figuresIn = (text: string): Figure[] =>
  [...text.matchAll(REFERENCE)].map(({ index, 1: path = '', 2: words = '' }) => ({
    path,
    words,
    index,
    rendered: sayFigure(path),
  }))

/** The text with its figures made anew. */
export const renderFigures = (text: string): string =>
  text.replace(REFERENCE, (whole, path: string, words: string) => {
    const rendered = sayFigure(path)
    return rendered === null || rendered === plain(words) ? whole : `<!--=${path}-->${rendered}<!--/-->`
  })

/** Whether the words say what the results say. Lines may be broken in another way. */
export const isTrue = ({ words, rendered }: Figure): boolean => rendered === null || plain(words) === rendered

/** Whether the finding is another one: a difference has appeared, vanished, or changed its direction. */
export const hasTurned = ({ words, rendered }: Figure): boolean =>
  rendered !== null && words !== UNSAID && classOf(plain(words)) !== classOf(rendered)

/** `LINE: what turned around`, for each finding that did. */
export const describeTurns = (text: string): string[] =>
  figuresIn(text)
    .filter(hasTurned)
    .map(
      ({ words, rendered, index }) =>
        `${text.slice(0, index).split('\n').length}: "${words}" has turned into "${rendered}"; read the sentence again`,
    )

const plain = (words: string) => words.replaceAll(/\s*\n[\s>*/]*/g, ' ')

const units: Readonly<Record<Metric, Unit>> = {
  ...forEachMetric(metric => ({ unit: metrics[metric].unit })),
  wakeups: { unit: 'wake-ups' },
  allocatedBytes: { unit: 'KiB', factor: 1 / 1024 },
  goodput: { unit: '' },
}

/** The words of a reference; null if its run is not published. */
function sayFigure(reference: string): string | null {
  const [path = '', form] = reference.split('|')
  const [name = '', ...rest] = path.split('.')
  if (!(name in runs)) throw new RangeError(`there is no run "${name}", to which ${reference} refers`)
  if (!isPublished(name as RunName)) return null
  const results = resultsOf(name as RunName) as object
  try {
    if ('steps' in results) return sayRow(results as Results, rest, form)
    if ('samples' in results) return sayCase(results.samples as Record<string, readonly number[]>, rest)
    return sayCrossing(results as Crossings, rest)
  } catch (error) {
    throw new RangeError(`the reference ${reference}: ${(error as Error).message}`)
  }
}

function sayRow({ steps, settings }: Results, [which = '', what = '', of]: string[], form?: string): string {
  const row = steps.find(
    ({ number, name }, index) =>
      which === `${number}` || which === `#${index}` || which === underscored(name),
  )
  if (!row) throw new RangeError(`there is no row "${which}"`)
  if (what === 'versusFirst' || what === 'versusPrevious') {
    const metric = (of ?? settings.decisive ?? 'mainThreadMicros') as Metric
    return sayRatio(row[what]?.[metric] as Ratio, form)
  }
  if (what === 'busy') return sayShare(middleOf(row, ({ mainThreadUtilization }) => mainThreadUtilization))
  if (what === 'spectrum') {
    const slice = slices.find(each => each === of) as Slice
    return sayShare(row.spectrum?.shares[slice] ?? null)
  }
  if (!(what in metrics)) throw new RangeError(`there is no metric "${what}"`)
  return sayMedian(row[what as Metric], units[what as Metric])
}

const underscored = (name: string) => name.replaceAll(' ', '_')

const sayShare = (median: number | null) => sayMedian({ median }, { unit: '%', factor: 100 })

function sayCase(samples: Readonly<Record<string, readonly number[]>>, [which]: string[]): string {
  const [, values] = Object.entries(samples).find(([name]) => underscored(name) === which) ?? []
  if (!values) throw new RangeError(`there is no case "${which}"`)
  return sayMedian({ median: median(values) }, { unit: 'ns' })
}

interface Crossings {
  readonly crossings: readonly {
    readonly metric: string
    readonly compute: string
    readonly payloadBytes: number
    readonly concurrency: number
    readonly lengthMicros: number | null
  }[]
}

/**
 * `breakEven.threads.100.1`: from which length on a task of 100 bytes, one at a time, costs the main thread less. With a metric
 * behind it: from which length on that metric is less.
 */
function sayCrossing(
  { crossings }: Crossings,
  [compute, bytes, concurrency, metric = 'mainThreadMicros']: string[],
): string {
  const found = crossings.find(
    each =>
      each.metric === metric &&
      each.compute === compute &&
      `${each.payloadBytes}` === bytes &&
      `${each.concurrency}` === concurrency,
  )
  return sayMedian({ median: found?.lengthMicros ?? null }, { unit: 'µs' })
}
