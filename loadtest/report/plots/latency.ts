import { dot, ruleY, text } from '@observablehq/plot'
import type { Results, RowResult } from '../../outcome/results.ts'
import { median } from '../../statistics/median.ts'
import { labelColumn, layoutRows, valueAxis } from '../bars.ts'
import { draw, nameOf, type Percentile, type Plot, percentiles, TEXT_PX, validSamples } from '../plot.ts'
import { renderTable } from '../table.ts'

interface Latencies {
  readonly name: string
  readonly label: string
  readonly medians: Readonly<Record<Percentile, number | null>>
  readonly samples: readonly Readonly<Record<Percentile, number>>[]
}

export function latencyPlot({ steps, settings }: Results): Plot {
  const rows = steps.map(latenciesOf)
  const isOpen = steps.some(({ ratePerSecond }) => ratePerSecond !== undefined)
  return {
    id: 'latency',
    title: 'How long an answer takes',
    summary: `${rows.map(({ name, label }) => `${name}: ${label}`).join('; ')}.`,
    howToRead: `Median over the samples of each percentile: the large dot is p50, the ring p99, the stroke the slowest answer; the small dots are p50 and p99 of the single samples. ${
      isOpen
        ? 'Requests were sent on a schedule and latency counts from the scheduled time.'
        : `The loop is closed: ${settings.connections} clients wait for each other, so this is not the latency under your load. The command open measures that.`
    }`,
    draw: () => drawLatencies(rows),
    data: renderTable('How long an answer takes, ms', rows, [
      { title: 'row', cell: ({ name }) => name },
      ...percentiles.map(percentile => ({
        title: `${percentile} ms`,
        cell: ({ medians }: Latencies) => medians[percentile]?.toFixed(1) ?? '-',
      })),
      {
        title: 'p99 of the samples, ms',
        cell: ({ samples }) => samples.map(({ p99 }) => p99.toFixed(1)).join(' '),
      },
    ]),
  }
}

function latenciesOf(row: RowResult): Latencies {
  // In an overload, no request that was due in the window may have had a good answer.
  const samples = validSamples(row)
    .map(({ latencyMs }) => latencyMs)
    .filter(({ p50 }) => Number.isFinite(p50))
  const middle = (percentile: Percentile) => median(samples.map(sample => sample[percentile]))
  const medians = { p50: middle('p50'), p90: middle('p90'), p99: middle('p99'), max: middle('max') }
  const { p50, p99 } = medians
  const label = p50 === null || p99 === null ? 'no valid sample' : `p50 ${round(p50)} · p99 ${round(p99)} ms`
  return { name: nameOf(row), label, medians, samples }
}

const round = (ms: number) => ms.toFixed(ms < 10 ? 1 : 0)

function drawLatencies(all: readonly Latencies[]): string {
  const layout = layoutRows(all)
  const { options, columnPx, linesAt } = layout
  const rows = all.flatMap(({ medians }, row) => (medians.p50 === null ? [] : [{ ...medians, row }]))
  const samples = all.flatMap(({ samples }, row) =>
    samples.flatMap(({ p50, p99 }) => [
      { ms: p50, row },
      { ms: p99, row },
    ]),
  )
  const longest = Math.max(1, ...rows.map(({ max }) => max ?? 0), ...samples.map(({ ms }) => ms))
  const r = TEXT_PX / 2.2
  return draw({
    ...options,
    marginRight: columnPx,
    x: { domain: [0, longest] },
    marks: [
      ...valueAxis(layout, 'ms', longest),
      linesAt([0], { stroke: 'var(--text)', strokeWidth: 2 }),
      ruleY(rows, { y: 'row', x1: 'p50', x2: 'max', stroke: 'var(--mark)', strokeWidth: 3 }),
      dot(samples, { y: 'row', x: 'ms', r: TEXT_PX / 7, fill: 'var(--text)', fillOpacity: 0.45 }),
      dot(rows, { y: 'row', x: 'p50', r, fill: 'var(--mark)' }),
      dot(rows, {
        y: 'row',
        x: 'p99',
        r,
        fill: 'var(--ground)',
        fillOpacity: 0.6,
        stroke: 'var(--mark)',
        strokeWidth: 3,
      }),
      text(rows, { y: 'row', x: 'max', text: () => '|', fill: 'var(--mark)', fontWeight: 700 }),
      labelColumn(all, 'currentColor'),
    ],
  })
}
