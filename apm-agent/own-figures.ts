import type { Figure } from '../lib/telemetry/prometheus.ts'
import type { ExportCounts } from './collector.ts'
import type { AgentCounts } from './counts.ts'

/** What the signals are called in names of metrics. */
const signalNames = { traces: 'spans', metrics: 'metric_points', logs: 'log_records' } as const

/** apm-agent's own counts, for Prometheus. */
export function ownFigures(counts: AgentCounts, exports: ExportCounts): Figure[] {
  const figure = (name: string, help: string, values: Figure['values']): Figure => ({
    name: `apm_agent_${name}`,
    help,
    values,
  })
  const one = (value: number): Figure['values'] => [[{}, value]]
  const by = (label: string, values: Readonly<Record<string, number>>): Figure['values'] =>
    Object.entries(values).map(([key, value]) => [{ [label]: key }, value])
  return [
    figure('records_received_total', 'Records, sampled or not', one(counts.records)),
    figure('spans_received_total', 'Sampled spans', by('protocol', counts.spans)),
    figure('metric_points_received_total', 'Metric points', by('protocol', counts.metricPoints)),
    figure('frames_repeated_total', 'Frames that came twice', one(counts.repeatedFrames)),
    figure(
      'spans_resent_total',
      'Spans that an earlier apm-agent may have exported already',
      one(counts.resentSpans),
    ),
    figure('decode_errors_total', 'What could not be decoded', by('reason', counts.decodeErrors)),
    figure('connections', 'Open connections of apps', one(counts.connections)),
    ...Object.entries(signalNames).flatMap(([signal, name]) =>
      Object.entries(exports[signal as keyof typeof signalNames]).map(([outcome, count]) =>
        figure(`${name}_${outcome}_total`, 'On the way to the collector', one(count)),
      ),
    ),
  ]
}
