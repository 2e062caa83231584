import { concerns } from '../../app/concerns.ts'
import type { Column } from '../../lib/cli/columns.ts'
import { fixed, formatRatio, middle, middleOf, percent, scaled } from '../outcome/format.ts'
import { digitsOf, type Metric, metrics, sayVerdict } from '../outcome/metrics.ts'
import { isNoisy } from '../outcome/noisy.ts'
import type { Results, RowResult, Settings } from '../outcome/results.ts'
import type { Sample } from '../sample/sample.ts'
import { slices } from '../spectrum/spectrum.ts'

/** Counts with their title, digits and a factor that gives numbers of a readable size. */
const counts = [
  ['wakeups', 'wake-ups', 2, 1],
  ['allocatedBytes', 'KiB allocated', 1, 1 / 1024],
] as const satisfies readonly (readonly [Metric, title: string, digits: number, factor: number])[]

/** Counts of the main thread for each good response, which other programs hardly change. Empty when the samples lack them. */
export function countColumns({ steps, settings: { baseline } }: Results): Columns {
  const which = baseline === 'previous' ? 'versusPrevious' : 'versusFirst'
  const ratio = baseline === 'previous' ? '× previous' : '× first'
  const columns = counts
    .filter(([metric]) => steps.some(row => row[metric].median !== null))
    .flatMap(
      ([metric, title, digits, factor]): Columns => [
        { title, cell: row => middle(scaled(row[metric], factor), digits, false) },
        ...versus(which, metric, ratio, 3),
      ],
    )
  return columns.length > 0 ? [step, ...columns] : []
}

/** The columns that several commands share, and the parts to make them from. Costs are CPU microseconds a good response. */

export type Columns = readonly Column<RowResult>[]

export const step: Column<RowResult> = {
  title: 'step',
  cell: ({ number, name }) => `${number ?? ' '} ${name}`,
}
/** How many samples count, and how many of them were disturbed: `9/9 (2 noisy)`. */
export const valid: Column<RowResult> = {
  title: 'valid',
  cell({ samples }) {
    const noisy = samples.filter(isNoisy).length
    const counting = `${samples.filter(sample => sample.valid).length}/${samples.length}`
    return noisy > 0 ? `${counting} (${noisy} noisy)` : counting
  },
}
export const mainThread: Column<RowResult> = {
  title: 'main thread µs',
  cell: ({ mainThreadMicros }) => middle(mainThreadMicros, 0),
}
export const busy: Column<RowResult> = {
  title: 'main thread busy',
  cell: row => percent(middleOf(row, sample => sample.mainThreadUtilization)),
}
export const goodput: Column<RowResult> = {
  title: 'goodput/s',
  cell: row => middle(row.goodput, 0, false),
}
export const latency = (percentile: 'p50' | 'p90', digits: number) =>
  value(`${percentile} ms`, digits, sample => sample.latencyMs[percentile])
export const p99 = (digits: number): Column<RowResult> => ({
  title: 'p99 ms',
  cell: row => middle(row.p99Ms, digits),
})
export const versus = (
  which: 'versusPrevious' | 'versusFirst',
  metric: Metric,
  title: string,
  digits = 2,
): Columns => [
  { title, cell: row => formatRatio(row[which]?.[metric], digits) },
  {
    title: 'verdict',
    cell(row) {
      const { verdict, ratio = null } = row[which]?.[metric] ?? {}
      return verdict && ratio !== null ? sayVerdict(metric, verdict) : '-'
    },
  },
]

/** The metric that a run is about, and what it found, for a first look. */
export function briefColumns(metric: Metric, { baseline }: Pick<Settings, 'baseline'>): Columns {
  const { noun, unit } = metrics[metric]
  const [ratio, verdict] = versus(
    baseline === 'first' ? 'versusFirst' : 'versusPrevious',
    metric,
    `× ${baseline}`,
  ) as [Column<RowResult>, Column<RowResult>]
  const value = {
    title: `${noun}${unit && `, ${unit}`}`,
    cell: (row: RowResult) => middle(row[metric], digitsOf(metric), false),
  }
  const found = (row: RowResult) =>
    verdict.cell(row) === '-' ? ratio.cell(row) : `${verdict.cell(row)}  ${ratio.cell(row)}`
  return [step, value, { title: ratio.title, cell: found }]
}

export const costColumns: Columns = [
  step,
  mainThread,
  ...versus('versusPrevious', 'mainThreadMicros', '× previous'),
  goodput,
  ...versus('versusPrevious', 'goodput', '× previous'),
  { title: 'total µs', cell: row => middle(row.totalMicros, 0, false) },
  busy,
  latency('p50', 1),
  { title: 'p99 ms', cell: row => middle(row.p99Ms, 1, false) },
  valid,
]

export const firstByte = value('first byte ms', 1, sample => sample.firstByteMs.p50)

/** The cost of pages, whose answers arrive in pieces: also the time to the first byte. */
export const pageColumns: Columns = [...costColumns.slice(0, -1), firstByte, valid]

export const pairColumns: Columns = [
  step,
  ...valueAndRatio('mainThreadMicros', 'main thread µs'),
  ...valueAndRatio('goodput', 'goodput/s'),
  ...valueAndRatio('totalMicros', 'total µs'),
  valid,
]

/**
 * The share of each concern in the main thread's CPU time, in percent; the cost over that of the row above, predicted from this
 * and measured.
 */
export const spectrumColumns: Columns = [
  step,
  ...slices.map(
    (slice): Column<RowResult> => ({
      title: slice,
      cell: ({ spectrum }) => (spectrum ? fixed(spectrum.shares[slice] * 100, 0) : '-'),
    }),
  ),
  {
    title: 'unattributed',
    cell: ({ spectrum }) => (spectrum ? fixed(spectrum.unattributed * 100, 1) : '-'),
  },
  { title: '× predicted', cell: ({ prediction }) => fixed(prediction?.ratioAtBest ?? null, 2) },
  { title: '× measured', cell: row => formatRatio(row.versusPrevious?.mainThreadMicros, 2) },
  { title: 'in doubt', cell: ({ spectrum }) => spectrum?.reason ?? '-' },
]

/** The cost of each row, against the first row, or against the same step on the first version of Node.js. */
export const firstColumns: Columns = [
  step,
  mainThread,
  ...versus('versusFirst', 'mainThreadMicros', '× first'),
  goodput,
  ...versus('versusFirst', 'goodput', '× first'),
  { title: 'total µs', cell: row => middle(row.totalMicros, 0, false) },
  ...versus('versusFirst', 'totalMicros', '× first'),
  busy,
  p99(1),
  value('memory MiB', 0, sample => sample.memoryMiB ?? Number.NaN),
  valid,
]

/** With more changes a row, the column would be too wide. */
const MOST_CHANGES = 2

/** A column of the implementations that each row replaces in the row above: none if no row replaces any, or one too many. */
export function changeColumn(rows: readonly RowResult[]): Columns {
  const changesOf = (row: RowResult): string[] => {
    const above = rows[rows.indexOf(row) - 1]?.composition
    const changed = above ? concerns.filter(concern => above[concern] !== row.composition[concern]) : []
    return changed.map(concern => `${above?.[concern]} → ${row.composition[concern]}`)
  }
  const most = Math.max(...rows.map(row => changesOf(row).length))
  return most > 0 && most <= MOST_CHANGES ? [{ title: 'change', cell: row => changesOf(row).join(', ') }] : []
}

export function value(title: string, digits: number, of: (sample: Sample) => number): Column<RowResult> {
  return { title, cell: row => fixed(middleOf(row, of), digits) }
}

/** A metric, its ratio to the first row, and the smallest difference that the run could find. */
function valueAndRatio(metric: Metric, title: string): Columns {
  const effect = (row: RowResult) => row.versusFirst?.[metric].smallestDetectableEffect
  return [
    { title, cell: row => middle(row[metric], 0, false) },
    ...versus('versusFirst', metric, '× first', 3),
    { title: 'detectable', cell: row => percent(effect(row), 1) },
  ]
}
