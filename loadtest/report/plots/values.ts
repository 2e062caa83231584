import { findingOf } from '../../declaration/answer.ts'
import { interval } from '../../outcome/format.ts'
import { type Metric, metrics } from '../../outcome/metrics.ts'
import type { Results, RowResult } from '../../outcome/results.ts'
import { type Bar, drawBars } from '../bars.ts'
import { type Plot, renderTable } from '../report-plot.ts'
import { nameOf, validSamples } from '../rows.ts'

/** A plot of one value of every row, as bars with samples and intervals. */
interface Value {
  readonly id: string
  readonly title: string
  readonly unit: string
  readonly digits?: number
  readonly howToRead: string
}

const READ =
  'The bar ends at the median, dots are single samples, the thick line is the interval that contains the true median 95 times of 100; with fewer than six samples there is none.'

const values: Readonly<Partial<Record<Metric, Value>>> = {
  mainThreadMicros: {
    id: 'main-thread',
    title: 'Main-thread cost of a response',
    unit: 'µs',
    howToRead:
      'CPU microseconds that the main thread spends per good response: less is better. It is the main metric of this project, and the least noisy one.',
  },
  goodput: {
    id: 'goodput',
    title: 'Goodput of this machine',
    unit: 'good responses/s',
    howToRead:
      "Only answers with the right status and the right body count. Other threads, the sidecars, the upstream and the load generator share the machine's cores, so it grows less than the main-thread cost falls.",
  },
  memoryMiB: {
    id: 'shared-memory',
    title: 'Memory of the app and its sidecars',
    unit: 'MiB',
    howToRead:
      'Memory of the app and its sidecars at the end of the window; a page that several processes share is divided among them.',
  },
  besideP99Ms: {
    id: 'hello',
    title: 'How long a light request waits beside the load',
    unit: 'ms (p99)',
    digits: 1,
    howToRead:
      'The p99 of /hello, sent on a schedule while the load goes on; it counts from the time when the request was due.',
  },
  totalMicros: {
    id: 'total',
    title: 'Total cost of a response',
    unit: 'µs',
    howToRead: 'CPU microseconds per good response, of the app (all processes and threads) and its sidecars.',
  },
}

export function valuePlot(metric: Metric, results: Results): Plot | null {
  const value = values[metric]
  if (!value) return null
  const { id, title, unit, digits = 0, howToRead } = value
  const bars = results.steps.map(row => barOf(row, metric, value))
  return {
    id,
    title,
    ...(metric !== 'memoryMiB' && { finding: findingOf(results, metric) }),
    howToRead: `${READ} ${howToRead}`,
    summary: `${bars.map(({ name, label }) => `${name}: ${label}`).join('; ')}.`,
    draw: frame => drawBars(frame, bars, unit),
    data: renderTable(title, bars, [
      { title: 'row', cell: bar => bar.name },
      { title: `median, ${unit}`, cell: bar => bar.value?.toFixed(digits) ?? '-' },
      { title: '95 % interval', cell: ({ ci95 }) => (ci95 ? interval(ci95, digits) : '-') },
      { title: 'samples', cell: ({ spread }) => spread.map(each => each.toFixed(digits)).join(' ') },
    ]),
  }
}

function barOf(row: RowResult, metric: Metric, { digits = 0, unit }: Value): Bar {
  const { median, ci95 } = row[metric]
  const known = median === null ? 'no valid sample' : median.toFixed(digits)
  return {
    name: nameOf(row),
    value: median,
    ci95,
    spread: validSamples(row).map(metrics[metric].of),
    label: median !== null && unit === 'µs' ? `${known} µs` : known,
  }
}
