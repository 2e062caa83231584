import { findingOf } from '../../declaration/answer.ts'
import { interval } from '../../outcome/format.ts'
import type { Metric } from '../../outcome/metrics.ts'
import type { Results, RowResult } from '../../outcome/results.ts'
import { ceilingOf } from '../../outcome/summarize.ts'
import type { Sample } from '../../sample/sample.ts'
import type { Median } from '../../statistics/median.ts'
import { type Bar, drawBars } from '../bars.ts'
import { type Plot, renderTable } from '../report-plot.ts'
import { nameOf, validSamples } from '../rows.ts'

/** A plot of one value of every row, as bars with samples and intervals. */
interface Value {
  readonly id: string
  readonly title: string
  readonly unit: string
  readonly digits: number
  readonly howToRead: string
  /** The metric whose change is the finding. */
  readonly metric?: Metric
  readonly median: (row: RowResult) => Median
  readonly of: (sample: Sample, row: RowResult) => number
}

const READ =
  'The bar ends at the median, dots are single samples, the thick line is the interval that contains the true median 95 times of 100; with fewer than six samples there is none.'

const values = {
  mainThread: {
    id: 'main-thread',
    title: 'Main-thread cost of a response',
    unit: 'µs',
    digits: 0,
    howToRead: `${READ} CPU microseconds that the main thread spends per good response: less is better. It is the main metric of this project, and the least noisy one.`,
    metric: 'mainThreadMicros',
    median: row => row.mainThreadMicros,
    of: sample => sample.mainThreadMicros,
  },
  ceiling: {
    id: 'ceiling',
    title: 'Ceiling: what the main thread alone would allow',
    unit: 'responses/s',
    digits: 0,
    howToRead: `${READ} A model, not a measurement: a second divided by the cost of a response, as if all other threads had cores of their own. More is better.`,
    median: row => row.ceiling,
    of: (sample, row) => ceilingOf(row, sample),
  },
  goodput: {
    id: 'goodput',
    title: 'Goodput of this machine',
    unit: 'good responses/s',
    digits: 0,
    howToRead: `${READ} Only answers with the right status and the right body count. Other threads, the sidecars, the upstream and the load generator share the machine's cores, so it grows less than the ceiling.`,
    metric: 'goodput',
    median: row => row.goodput,
    of: sample => sample.goodput,
  },
  shared: {
    id: 'shared-memory',
    title: 'Memory of the app and its sidecars',
    unit: 'MiB',
    digits: 0,
    howToRead: `${READ} Memory of the app and its sidecars at the end of the window; a page that several processes share is divided among them.`,
    median: row => row.memoryMiB,
    of: sample => sample.memoryMiB ?? Number.NaN,
  },
  hello: {
    id: 'hello',
    title: 'How long a light request waits beside the load',
    unit: 'ms (p99)',
    digits: 1,
    howToRead: `${READ} The p99 of /hello, sent on a schedule while the load goes on; it counts from the time when the request was due.`,
    metric: 'besideP99Ms',
    median: row => row.besideP99Ms,
    of: sample => sample.besideLatencyMs?.p99 ?? Number.NaN,
  },
  total: {
    id: 'total',
    title: 'Total cost of a response',
    unit: 'µs',
    digits: 0,
    howToRead: `${READ} CPU microseconds per good response, of the app (all processes and threads) and its sidecars.`,
    metric: 'totalMicros',
    median: row => row.totalMicros,
    of: sample => sample.totalMicros,
  },
} as const satisfies Record<string, Value>

export const valuePlot = (name: keyof typeof values, results: Results): Plot => {
  const value: Value = values[name]
  const { id, title, howToRead, unit, metric } = value
  const bars = results.steps.map(row => barOf(row, value))
  return {
    id,
    title,
    ...(metric && { finding: findingOf(results, metric) }),
    howToRead,
    summary: `${bars.map(({ name, label }) => `${name}: ${label}`).join('; ')}.`,
    draw: frame => drawBars(frame, bars, unit),
    data: renderTable(title, bars, [
      { title: 'row', cell: bar => bar.name },
      { title: `median, ${unit}`, cell: bar => bar.value?.toFixed(value.digits) ?? '-' },
      { title: '95 % interval', cell: ({ ci95 }) => (ci95 ? interval(ci95, value.digits) : '-') },
      { title: 'samples', cell: ({ spread }) => spread.map(each => each.toFixed(value.digits)).join(' ') },
    ]),
  }
}

function barOf(row: RowResult, { median: medianOf, of, digits, unit }: Value): Bar {
  const { median, ci95 } = medianOf(row)
  const label =
    median === null
      ? 'no valid sample'
      : unit === 'µs'
        ? `${median.toFixed(digits)} µs`
        : median.toFixed(digits)
  return {
    name: nameOf(row),
    value: median,
    ci95,
    spread: validSamples(row).map(sample => of(sample, row)),
    label,
  }
}
