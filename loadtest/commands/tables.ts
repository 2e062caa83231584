import type { Column } from '../../lib/columns.ts'
import { fixed, formatRatio, middle, middleOf, percent } from '../outcome/format.ts'
import type { Metric } from '../outcome/metrics.ts'
import type { RowResult } from '../outcome/results.ts'
import type { Sample } from '../sample/sample.ts'
import { slices } from '../spectrum/spectrum.ts'

/** The tables of the load test, for a terminal and for the docs. Costs are CPU microseconds a good response. */

type Columns = readonly Column<RowResult>[]

const step: Column<RowResult> = { title: 'step', cell: ({ number, name }) => `${number ?? ' '} ${name}` }
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
  figure(`${percentile} ms`, digits, sample => sample.latencyMs[percentile])
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

/** What each row costs, against the one above. */
export const ladder: Columns = [
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

/** The same of answers that come part by part. */
export const pages: Columns = [
  ...ladder.slice(0, -1),
  figure('first byte ms', 1, sample => sample.firstByteMs.p50),
  figure('resident MiB', 0, sample => sample.residentMiB),
  valid,
]

/** How well two rows can be told apart. */
export const pair: Columns = [
  step,
  ...figureAndRatio('mainThreadMicros', 'main thread µs'),
  ...figureAndRatio('goodput', 'goodput/s'),
  ...figureAndRatio('totalMicros', 'total µs'),
  valid,
]

/** Latency and cost against load. */
export const curve: Columns = [
  step,
  { title: 'goodput/s', cell: row => middle(row.goodput, 0, false) },
  latency('p50', 2),
  latency('p90', 2),
  p99(1),
  latency('max', 1),
  mainThread,
  ...versus('versusFirst', 'mainThreadMicros', '× first'),
  busy,
  figure('sent late, p99 ms', 1, sample => sample.latenessMs?.p99 ?? Number.NaN),
  valid,
]

/** The latency of one route beside the load of another. */
export const beside: Columns = [
  step,
  latency('p50', 1),
  p99(1),
  ...versus('versusPrevious', 'p99Ms', 'p99 × previous'),
  figure('beside/s', 0, sample => sample.besideGoodput ?? Number.NaN),
  busy,
  valid,
]

/** What main threads are busy with, in percent of their CPU time; what that allowed the next row to gain, and what it gained. */
export const spectra: Columns = [
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

/** What each concern is worth: the first row, and it with one of them put back. */
export const ablated: Columns = [
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

/** Garbage collection: what it costs, and for how long it stops the main thread. */
export const collected: Columns = [
  ...ablated.slice(0, -1),
  figure('collections/s', 1, sample => sample.collections?.perSecond ?? Number.NaN),
  figure('pause p50 ms', 2, sample => sample.collections?.pauseMs.p50 ?? Number.NaN),
  figure('pause p99 ms', 2, sample => sample.collections?.pauseMs.p99 ?? Number.NaN),
  figure('longest ms', 1, sample => sample.collections?.pauseMs.max ?? Number.NaN),
  {
    title: 'stopped',
    cell: row =>
      percent(
        middleOf(row, sample => sample.collections?.share ?? Number.NaN),
        1,
      ),
  },
  figure('resident MiB', 0, sample => sample.residentMiB),
  valid,
]

/** Ways to use the same cores. */
export const onSameCores: Columns = [
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

function figure(title: string, digits: number, of: (sample: Sample) => number): Column<RowResult> {
  return { title, cell: row => fixed(middleOf(row, of), digits) }
}

function figureAndRatio(metric: Metric, title: string): Columns {
  const effect = (row: RowResult) => row.versusFirst?.[metric].smallestDetectableEffect
  return [
    { title, cell: row => middle(row[metric], 0, false) },
    ...versus('versusFirst', metric, '× first', 3),
    { title: 'detectable', cell: row => percent(effect(row), 1) },
  ]
}
