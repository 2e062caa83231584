import { record } from '../../../lib/record.ts'
import type { Results, RowResult } from '../../outcome/results.ts'
import { median } from '../../statistics/median.ts'
import { renderTable } from '../html.ts'
import { type Line, type Mark, renderLines, scaleTo } from '../lines.ts'
import { nameOf, type Plot, validSamples } from '../plot.ts'

const percentiles = ['p50', 'p90', 'p99', 'max'] as const
type Percentile = (typeof percentiles)[number]

interface Latencies {
  readonly name: string
  readonly label: string
  readonly medians: Readonly<Record<Percentile, number | null>>
  readonly samples: readonly Readonly<Record<Percentile, number>>[]
}

export function latencyPlot({ steps, settings }: Results): Plot {
  const rows = steps.map(latenciesOf)
  const isOpen = steps.some(({ ratePerSecond }) => ratePerSecond !== undefined)
  const all = rows.flatMap(({ medians, samples }) => [medians.max ?? 0, ...samples.map(({ p99 }) => p99)])
  return {
    id: 'latency',
    title: 'How long an answer takes',
    summary: `${rows.map(({ name, label }) => `${name}: ${label}`).join('; ')}.`,
    howToRead: `Median over the samples of each percentile: the large dot is p50, the ring p99, and the stroke ends at the slowest answer; the small dots are p50 and p99 of the single samples. ${
      isOpen
        ? 'Requests were sent on a schedule and latency counts from the scheduled time.'
        : `The loop is closed: ${settings.connections} clients wait for each other, so this is not the latency under your load. The command open measures that.`
    }`,
    image: renderLines(rows.map(lineOf), scaleTo(all, 'ms')),
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
  const medians = record(percentiles, percentile => median(samples.map(sample => sample[percentile])))
  const { p50, p99 } = medians
  const label = p50 === null || p99 === null ? 'no valid sample' : `p50 ${round(p50)} · p99 ${round(p99)} ms`
  return { name: nameOf(row), label, medians, samples }
}

const round = (ms: number) => ms.toFixed(ms < 10 ? 1 : 0)

function lineOf({ name, label, medians: { p50, p99, max }, samples }: Latencies): Line {
  if (p50 === null || p99 === null || max === null) return { name, label, marks: [] }
  const dots = samples.flatMap(sample =>
    ([sample.p50, sample.p99] as const).map((at): Mark => ({ kind: 'sample', at })),
  )
  const color = 'var(--mark)'
  return {
    name,
    label,
    marks: [
      { kind: 'interval', at: [p50, max], color },
      ...dots,
      { kind: 'dot', at: p50, color },
      { kind: 'ring', at: p99, color },
    ],
  }
}
