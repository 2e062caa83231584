import type { SloResults, SloRow } from '../../commands/slo/results.ts'
import { interval } from '../../outcome/format.ts'
import { type Bar, drawBars } from '../bars.ts'
import { type Plot, renderTable } from '../report-plot.ts'
import { nameOf } from '../rows.ts'

const HOW_TO_READ =
  'The bar ends at the highest rate that keeps the limit in half of the samples; the thick line is its 95 % interval. Dots are the rates of the samples: the search goes up after a sample that holds and down after one that fails. More is better.'

/** Plots the highest rate of every row that keeps the limit. */
export function sloPlot({ rows, settings }: SloResults): Plot | null {
  const shown = rows.filter(({ ratePerSecond }) => ratePerSecond !== null)
  if (shown.length === 0) return null
  const title = `Requests a second that keep p99 ≤ ${settings.p99Ms} ms`
  const bars = shown.map(toBar)
  return {
    id: 'slo',
    title,
    summary: `${bars.map(({ name, label }) => `${name}: ${label}`).join('; ')}.`,
    howToRead: HOW_TO_READ,
    draw: frame => drawBars(frame, bars, 'requests/s'),
    data: renderTable(
      title,
      shown.flatMap(row => row.samples.map(sample => ({ row, sample }))),
      [
        { title: 'row', cell: ({ row }) => nameOf(row) },
        { title: 'block', cell: ({ sample }) => String(sample.round) },
        { title: 'requests/s', cell: ({ sample }) => String(sample.ratePerSecond) },
        { title: 'p99 ms', cell: ({ sample }) => sample.latencyMs.p99?.toFixed(1) ?? '-' },
        { title: 'errors', cell: ({ sample }) => String(sample.errors) },
        { title: 'the limit', cell: ({ sample }) => sample.outcome },
      ],
    ),
  }
}

const signs = { found: '', never: '< ', always: '≥ ', nothing: '' } as const

function toBar(row: SloRow): Bar {
  const { finding, ratePerSecond, ci95, samples } = row
  return {
    name: nameOf(row),
    value: ratePerSecond,
    ci95,
    spread: samples.filter(({ outcome }) => outcome !== 'refused').map(sample => sample.ratePerSecond),
    label: `${signs[finding]}${ratePerSecond?.toFixed(0)}${ci95 ? ` ${interval(ci95, 0)}` : ''}`,
  }
}
