import { barX, dot, ruleY, text } from '@observablehq/plot'
import { interval } from '../../outcome/format.ts'
import { type Metric, metrics } from '../../outcome/metrics.ts'
import type { Results, RowResult } from '../../outcome/results.ts'
import type { Interval } from '../../statistics/median.ts'
import { endLabels, layoutRows, roomFor, valueAxis } from '../bars.ts'
import { draw, nameOf, type Plot, TEXT_PX, validSamples } from '../plot.ts'
import { renderTable } from '../table.ts'

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
    howToRead: `${READ} ${howToRead}`,
    summary: `${bars.map(({ name, label }) => `${name}: ${label}`).join('; ')}.`,
    draw: () => drawBars(bars, unit),
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

/** A value with its uncertainty. */
interface Bar {
  readonly name: string
  /** Null when there is no value. */
  readonly value: number | null
  readonly ci95: Interval | null
  /** Values of the single samples. */
  readonly spread: readonly number[]
  readonly label: string
}

/** Draws medians as bars from zero, samples as dots, and intervals as lines. */
function drawBars(bars: readonly Bar[], axisLabel: string): string {
  const layout = layoutRows(bars)
  const { options, insets, plotPx, linesAt } = layout
  const known = bars.flatMap((bar, row) => (bar.value === null ? [] : [{ ...bar, value: bar.value, row }]))
  const ends = known.map(({ value, ci95, spread, label, row }) => ({
    label,
    row,
    end: Math.max(value, ci95?.[1] ?? 0, ...spread),
  }))
  const dots = known.flatMap(({ spread, row }) => spread.map(value => ({ value, row })))
  const intervals = known.flatMap(({ ci95, row }) => (ci95 ? [{ low: ci95[0], high: ci95[1], row }] : []))
  const without = bars.flatMap((bar, row) => (bar.value === null ? [{ label: bar.label, row }] : []))
  return draw({
    ...options,
    x: { domain: [0, Math.max(roomFor(ends, plotPx), Number.MIN_VALUE)] },
    marks: [
      ...valueAxis(layout, axisLabel, Math.max(1, ...ends.map(({ end }) => end))),
      barX(known, { y: 'row', x: 'value', fill: 'var(--mark)', fillOpacity: 0.45, ...insets }),
      dot(dots, { y: 'row', x: 'value', r: TEXT_PX / 7, fill: 'var(--text)', fillOpacity: 0.45 }),
      ruleY(intervals, { x1: 'low', x2: 'high', y: 'row', stroke: 'var(--text)', strokeWidth: TEXT_PX / 5 }),
      linesAt([0], { stroke: 'var(--text)', strokeWidth: 2 }),
      endLabels(ends),
      text(without, { y: 'row', text: 'label', frameAnchor: 'left', dx: 8, fill: 'var(--quiet)' }),
    ],
  })
}
