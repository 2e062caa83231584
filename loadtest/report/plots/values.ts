import { interval } from '../../outcome/format.ts'
import { type Metric, metrics } from '../../outcome/metrics.ts'
import type { Results } from '../../outcome/results.ts'
import type { Median } from '../../statistics/median.ts'
import { renderTable } from '../html.ts'
import { type Line, type Mark, renderLines, scaleTo } from '../lines.ts'
import { nameOf, type Plot, validSamples } from '../plot.ts'

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

export function valuePlot(metric: Metric, { steps }: Results): Plot | null {
  const value = values[metric]
  if (!value) return null
  const { id, title, unit, digits = 0, howToRead } = value
  const bars = steps.map(row => ({
    ...row[metric],
    name: nameOf(row),
    label: row[metric].median?.toFixed(digits) ?? 'no valid sample',
    spread: validSamples(row).map(metrics[metric].of),
  }))
  const all = bars.flatMap(({ median, ci95, spread }) => [median ?? 0, ...(ci95 ?? []), ...spread])
  return {
    id,
    title,
    howToRead: `${READ} ${howToRead}`,
    summary: `In ${unit}: ${bars.map(({ name, label }) => `${name}: ${label}`).join('; ')}.`,
    image: renderLines(bars.map(lineOf), scaleTo(all, unit)),
    data: renderTable(title, bars, [
      { title: 'row', cell: ({ name }) => name },
      { title: `median, ${unit}`, cell: ({ median }) => median?.toFixed(digits) ?? '-' },
      { title: '95 % interval', cell: ({ ci95 }) => (ci95 ? interval(ci95, digits) : '-') },
      { title: 'samples', cell: ({ spread }) => spread.map(each => each.toFixed(digits)).join(' ') },
    ]),
  }
}

interface Bar extends Median {
  readonly name: string
  readonly label: string
  /** Values of the single samples. */
  readonly spread: readonly number[]
}

const lineOf = ({ name, label, median, ci95, spread }: Bar): Line => ({
  name,
  label,
  marks: [
    { kind: 'bar', at: [0, median ?? 0] },
    ...(ci95 ? [{ kind: 'interval', at: ci95 } as const] : []),
    ...spread.filter(Number.isFinite).map((at): Mark => ({ kind: 'sample', at })),
  ],
})
