import { wordOf } from '../../lib/verdict.ts'
import type { BenchResults } from '../../loadtest/bench/bench.ts'
import { middleOf, sayTimes } from '../../loadtest/outcome/format.ts'
import { forEachMetric, type Metric, metrics } from '../../loadtest/outcome/metrics.ts'
import type { Results } from '../../loadtest/outcome/results.ts'
import type { Sample } from '../../loadtest/sample/sample.ts'
import { type Slice, slices } from '../../loadtest/spectrum/spectrum.ts'
import { type Median, median } from '../../loadtest/statistics/median.ts'
import type { Ratio } from '../../loadtest/statistics/ratio.ts'
import { isPublished, type RunName, resultsOf, runs } from './runs.ts'

/**
 * A figure in prose, between `<!--=RUN.ROW.WHAT-->` and `<!--/-->`. It follows from the results of the run.
 *
 *   ladder.7.versusFirst            the main-thread cost of step 7 over that of step 0: `0.06 × [0.05, 0.07]`
 *   ladder.7.versusFirst.goodput    of another metric: `1.05 × [0.90, 1.22] (cannot tell)`
 *   ladder.7.mainThreadMicros       a median with its unit: `77 µs`
 *   ladder.7.busy                   how busy the main thread is: `10 %`
 *   ladder.0.spectrum.compute       the part of a concern in the main thread's time: `65 %`
 *   benchApm.CASE                   nanoseconds of a case of a bench
 *
 * A row is named by the number of its step, by its place in the table (`#0` is the first), or by its name, with `_` for each space.
 */
const REFERENCE = /<!--=([a-z][^>]*?)-->([\s\S]*?)<!--\/-->/g

/** Stands for a figure that is new, until `npm run docs` writes it. */
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

/** What a ratio claims. A finding turns when a difference appears, vanishes, or changes its direction. */
function claimOf(words: string): 'none' | 'less' | 'more' {
  if (/\((the same|cannot tell)\)$/.test(words)) return 'none'
  return Number.parseFloat(words) < 1 ? 'less' : 'more'
}

/** Whether the words say what the results say. Lines may be broken in another way. */
export const isTrue = ({ words, rendered }: Figure): boolean => rendered === null || plain(words) === rendered

/** Whether the finding about a ratio is another one. */
export const hasTurned = ({ words, rendered }: Figure): boolean =>
  rendered !== null &&
  words !== UNSAID &&
  rendered.includes(' × ') &&
  claimOf(plain(words)) !== claimOf(rendered)

/** `LINE: what turned around`, for each finding that did. */
export const describeTurns = (text: string): string[] =>
  figuresIn(text)
    .filter(hasTurned)
    .map(
      ({ words, rendered, index }) =>
        `${text.slice(0, index).split('\n').length}: "${words}" has turned into "${rendered}"; read the sentence again`,
    )

const plain = (words: string) => words.replaceAll(/\s*\n[\s>*/]*/g, ' ')

interface Unit {
  readonly unit: string
  readonly factor?: number
}

const units: Readonly<Record<Metric, Unit>> = {
  ...forEachMetric(metric => ({ unit: metrics[metric].unit })),
  wakeups: { unit: 'wake-ups' },
  allocatedBytes: { unit: 'KiB', factor: 1 / 1024 },
  goodput: { unit: '' },
}

/** The words of a reference; null if its run is not published. */
function sayFigure(reference: string): string | null {
  const [name = '', ...rest] = reference.split('.')
  if (!(name in runs)) throw new RangeError(`there is no run "${name}", to which ${reference} refers`)
  if (!isPublished(name as RunName)) return null
  const results = resultsOf(name as RunName) as object
  try {
    if ('steps' in results) return sayRow(results as Results, rest)
    return sayCase((results as BenchResults).samples, rest)
  } catch (error) {
    throw new RangeError(`the reference ${reference}: ${(error as Error).message}`)
  }
}

function sayRow({ steps, settings }: Results, [which = '', what = '', of]: string[]): string {
  const row = steps.find(
    ({ number, name }, index) =>
      which === `${number}` || which === `#${index}` || which === underscored(name),
  )
  if (!row) throw new RangeError(`there is no row "${which}"`)
  if (what === 'versusFirst' || what === 'versusPrevious') {
    const metric = (of ?? settings.decisive ?? 'mainThreadMicros') as Metric
    return sayRatio(row[what]?.[metric] as Ratio)
  }
  if (what === 'busy') return sayShare(middleOf(row, cpuShareOf))
  if (what === 'spectrum') {
    const slice = slices.find(each => each === of) as Slice
    return sayShare(row.spectrum?.shares[slice] ?? null)
  }
  if (!(what in metrics)) throw new RangeError(`there is no metric "${what}"`)
  return sayMedian(row[what as Metric], units[what as Metric])
}

const underscored = (name: string) => name.replaceAll(' ', '_')

/** CPU time of the main thread, as a share of the time. */
const cpuShareOf = ({ mainThreadMicros, goodput }: Sample): number => (mainThreadMicros * goodput) / 1e6

const sayShare = (median: number | null) => sayMedian({ median }, { unit: '%', factor: 100 })

function sayCase(samples: BenchResults['samples'], [which]: string[]): string {
  const [, values] = Object.entries(samples).find(([name]) => underscored(name) === which) ?? []
  if (!values) throw new RangeError(`there is no case "${which}"`)
  return sayMedian({ median: median(values) }, { unit: 'ns' })
}

/** A ratio with its interval, and whether it is a difference at all. */
export function sayRatio(given: Ratio): string {
  const word = wordOf(given.verdict, 'lower')
  return sayTimes(given) + (word === 'the same' || word === 'cannot tell' ? ` (${word})` : '')
}

/** A value with its unit, and as many digits as people need. */
export function sayMedian({ median }: Pick<Median, 'median'>, { unit, factor = 1 }: Unit): string {
  if (median === null) throw new RangeError('nothing was measured')
  const value = median * factor
  const isWhole = Math.abs(value) >= 10 || value === 0 || unit === '%'
  return `${value.toFixed(isWhole ? 0 : Math.abs(value) >= 1 ? 1 : 2)}${unit && ` ${unit}`}`
}
