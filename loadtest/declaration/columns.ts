import { concerns } from '../../app/concerns.ts'
import type { Column } from '../../lib/columns.ts'
import { fixed, formatRatio, middle, middleOf, percent } from '../outcome/format.ts'
import type { Metric } from '../outcome/metrics.ts'
import type { RowResult } from '../outcome/results.ts'
import type { Sample } from '../sample/sample.ts'
import { slices } from '../spectrum/spectrum.ts'

/** The columns of the load test's tables. Costs are CPU microseconds a good response. */

type Columns = readonly Column<RowResult>[]

const step: Column<RowResult> = {
  title: 'step',
  cell: ({ number, name }) => `${number ?? ' '} ${name}`,
}
const valid: Column<RowResult> = {
  title: 'valid',
  cell: ({ samples }) => `${samples.filter(sample => sample.valid).length}/${samples.length}`,
}
const mainThread: Column<RowResult> = {
  title: 'main thread µs',
  cell: ({ mainThreadMicros }) => middle(mainThreadMicros, 0),
}
const busy: Column<RowResult> = {
  title: 'main thread busy',
  cell: row => percent(middleOf(row, sample => sample.mainThreadUtilization)),
}
const latency = (percentile: 'p50' | 'p90' | 'max', digits: number) =>
  value(`${percentile} ms`, digits, sample => sample.latencyMs[percentile])
const p99 = (digits: number): Column<RowResult> => ({
  title: 'p99 ms',
  cell: row => middle(row.p99Ms, digits),
})
const versus = (
  which: 'versusPrevious' | 'versusFirst',
  metric: Metric,
  title: string,
  digits = 2,
): Columns => [
  { title, cell: row => formatRatio(row[which]?.[metric], digits) },
  { title: 'verdict', cell: row => row[which]?.[metric].verdict ?? '-' },
]

/** The cost of each row, against the row above. */
export const costColumns: Columns = [
  step,
  mainThread,
  ...versus('versusPrevious', 'mainThreadMicros', '× previous'),
  { title: 'ceiling/s', cell: row => middle(row.ceiling, 0, false) },
  { title: 'goodput/s', cell: row => middle(row.goodput, 0, false) },
  ...versus('versusPrevious', 'goodput', '× previous'),
  { title: 'total µs', cell: row => middle(row.totalMicros, 0, false) },
  busy,
  latency('p50', 1),
  { title: 'p99 ms', cell: row => middle(row.p99Ms, 1, false) },
  valid,
]

/** The cost of pages, whose answers arrive in pieces: also the time to the first byte. */
export const pageColumns: Columns = [
  ...costColumns.slice(0, -1),
  value('first byte ms', 1, sample => sample.firstByteMs.p50),
  value('resident MiB', 0, sample => sample.residentMiB),
  valid,
]

/** How well two rows can be told apart. */
export const pairColumns: Columns = [
  step,
  ...valueAndRatio('mainThreadMicros', 'main thread µs'),
  ...valueAndRatio('goodput', 'goodput/s'),
  ...valueAndRatio('totalMicros', 'total µs'),
  valid,
]

/** Latency and cost at several rates. */
export const curveColumns: Columns = [
  step,
  { title: 'goodput/s', cell: row => middle(row.goodput, 0, false) },
  latency('p50', 2),
  latency('p90', 2),
  p99(1),
  latency('max', 1),
  mainThread,
  ...versus('versusFirst', 'mainThreadMicros', '× first'),
  busy,
  value('sent late, p99 ms', 1, sample => sample.latenessMs?.p99 ?? Number.NaN),
  valid,
]

/** The latency of one route beside the load of another. */
export const besideColumns: Columns = [
  step,
  latency('p50', 1),
  p99(1),
  ...versus('versusPrevious', 'p99Ms', 'p99 × previous'),
  value('beside/s', 0, sample => sample.besideGoodput ?? Number.NaN),
  busy,
  valid,
]

/**
 * The share of each concern in the main thread's CPU time, in percent; the gain that this allows the next row at best, and
 * the gain that was measured.
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
  { title: '× at best', cell: ({ prediction }) => fixed(prediction?.ratioAtBest ?? null, 2) },
  { title: '× measured', cell: row => formatRatio(row.versusPrevious?.mainThreadMicros, 2) },
  {
    title: 'next',
    cell: ({ next, spectrum }) =>
      next
        ? `${next.concern} ${percent(next.share)}`
        : spectrum?.reason
          ? `in doubt: ${spectrum.reason}`
          : '-',
  },
]

/** The worth of each concern: the first row, and the same with one concern as it was at first. */
export const ablationColumns: Columns = [
  step,
  mainThread,
  ...versus('versusFirst', 'mainThreadMicros', '× first'),
  { title: 'goodput/s', cell: row => middle(row.goodput, 0, false) },
  ...versus('versusFirst', 'goodput', '× first'),
  { title: 'total µs', cell: row => middle(row.totalMicros, 0, false) },
  busy,
  p99(1),
  valid,
]

/** The cost of garbage collection, and how long it stops the main thread. */
export const collectionColumns: Columns = [
  ...ablationColumns.slice(0, -1),
  value('collections/s', 1, sample => sample.collections?.perSecond ?? Number.NaN),
  value('pause p50 ms', 2, sample => sample.collections?.pauseMs.p50 ?? Number.NaN),
  value('pause p99 ms', 2, sample => sample.collections?.pauseMs.p99 ?? Number.NaN),
  value('longest ms', 1, sample => sample.collections?.pauseMs.max ?? Number.NaN),
  {
    title: 'stopped',
    cell: row =>
      percent(
        middleOf(row, sample => sample.collections?.share ?? Number.NaN),
        1,
      ),
  },
  value('resident MiB', 0, sample => sample.residentMiB),
  valid,
]

/** Several ways to use the same cores, against the first. */
export const equalCoresColumns: Columns = [
  step,
  { title: 'goodput/s', cell: row => middle(row.goodput, 0) },
  ...versus('versusFirst', 'goodput', '× first'),
  { title: '/hello p99 ms', cell: row => middle(row.besideP99Ms, 1) },
  ...versus('versusFirst', 'besideP99Ms', '× first'),
  { title: 'p99 ms', cell: row => middle(row.p99Ms, 1, false) },
  { title: 'total µs', cell: row => middle(row.totalMicros, 0) },
  ...versus('versusFirst', 'totalMicros', '× first'),
  { title: 'memory MiB', cell: row => middle(row.memoryMiB, 0, false) },
  { title: '× first', cell: row => formatRatio(row.versusFirst?.memoryMiB, 2) },
  mainThread,
  { title: 'main threads busy', cell: busy.cell },
  valid,
]

/** A row that replaces more implementations than this is no move, but another composition. */
const MOST_MOVED = 2

/** The implementations that each row replaces, against the row above. Empty when rows replace none, or too many. */
export function movedColumn(rows: readonly RowResult[]): Columns {
  const movedBy = (row: RowResult): string[] => {
    const above = rows[rows.indexOf(row) - 1]?.composition
    const changed = above ? concerns.filter(concern => above[concern] !== row.composition[concern]) : []
    return changed.map(concern => `${above?.[concern]} → ${row.composition[concern]}`)
  }
  const most = Math.max(...rows.map(row => movedBy(row).length))
  return most > 0 && most <= MOST_MOVED ? [{ title: 'moved', cell: row => movedBy(row).join(', ') }] : []
}

function value(title: string, digits: number, of: (sample: Sample) => number): Column<RowResult> {
  return { title, cell: row => fixed(middleOf(row, of), digits) }
}

function valueAndRatio(metric: Metric, title: string): Columns {
  const effect = (row: RowResult) => row.versusFirst?.[metric].smallestDetectableEffect
  return [
    { title, cell: row => middle(row[metric], 0, false) },
    ...versus('versusFirst', metric, '× first', 3),
    { title: 'detectable', cell: row => percent(effect(row), 1) },
  ]
}
