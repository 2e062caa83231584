import { interval } from '../../outcome/format.ts'
import { digitsOf, headingOf, type Metric, metrics } from '../../outcome/metrics.ts'
import type { Median } from '../../statistics/median.ts'
import { renderTable } from '../html.ts'
import { type Line, type Mark, renderLines, scaleTo } from '../lines.ts'
import { nameOf, type RowsPlot, validSamples } from '../plot.ts'

const READ =
  'The bar ends at the median, dots are single samples, the thick line is the interval that contains the true median 95 times of 100; with fewer than six samples there is none.'

/** What a reader has to know of the metrics that have such a plot. */
const howToRead = {
  mainThreadMicros:
    'CPU microseconds that the main thread spends per good response: less is better. It is the main metric of this project, and the least noisy one.',
  goodput:
    "Only answers with the right status and the right body count. Other threads, the sidecars, the upstream and the load generator share the machine's cores, so it grows less than the main-thread cost falls.",
  memoryMiB:
    'Memory of the app and its sidecars at the end of the window; a page that several processes share is divided among them.',
  besideP99Ms:
    'The p99 of /hello, sent on a schedule while the load goes on; it counts from the time when the request was due.',
  totalMicros: 'CPU microseconds per good response, of the app (all processes and threads) and its sidecars.',
} as const satisfies Partial<Record<Metric, string>>

/** Plots a metric of every row, as bars with samples and intervals. */
export const bars =
  (metric: keyof typeof howToRead): RowsPlot =>
  ({ steps }) => {
    const { unit, of } = metrics[metric]
    const [title, digits] = [headingOf(metric), digitsOf(metric)]
    const rows = steps.map(row => ({
      ...row[metric],
      name: nameOf(row),
      label: row[metric].median?.toFixed(digits) ?? 'no valid sample',
      spread: validSamples(row).map(of),
    }))
    const all = rows.flatMap(({ median, ci95, spread }) => [median ?? 0, ...(ci95 ?? []), ...spread])
    return {
      id: metric,
      title,
      howToRead: `${READ} ${howToRead[metric]}`,
      summary: `In ${unit}: ${rows.map(({ name, label }) => `${name}: ${label}`).join('; ')}.`,
      image: renderLines(rows.map(lineOf), scaleTo(all, unit)),
      data: renderTable(title, rows, [
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
