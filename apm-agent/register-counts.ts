import { Counter, Gauge, Registry } from '../lib/telemetry/prometheus.ts'
import type { AgentCounts, ExportCounts } from './counts.ts'

type Rows = () => readonly (readonly [labels: Record<string, string>, value: number])[]

/** Registers apm-agent's own counts for Prometheus. */
export function registerCounts(
  counts: AgentCounts,
  exports: Readonly<Record<'spans' | 'metric_points' | 'log_records', ExportCounts>>,
): Registry {
  const registry = new Registry()
  const add = (Metric: typeof Counter | typeof Gauge, name: string, help: string, rows: Rows) =>
    new Metric({
      name: `apm_agent_${name}`,
      help,
      labelNames: Object.keys(rows()[0]?.[0] ?? {}),
      registers: [registry],
      collect() {
        this.reset()
        for (const [labels, value] of rows()) this.inc(labels, value)
      },
    })
  const labelled =
    (label: string, values: Readonly<Record<string, number>>): Rows =>
    () =>
      Object.entries(values).map(([key, value]) => [{ [label]: key }, value])
  const single =
    (read: () => number): Rows =>
    () => [[{}, read()]]
  const counters: Readonly<Record<string, readonly [help: string, rows: Rows]>> = {
    records_received: ['Records, sampled or not', single(() => counts.records)],
    spans_received: ['Sampled spans', labelled('protocol', counts.spans)],
    metric_points_received: ['Metric points', labelled('protocol', counts.metricPoints)],
    frames_repeated: ['Frames that came twice', single(() => counts.repeatedFrames)],
    spans_resent: [
      'Spans that an earlier apm-agent may have exported already',
      single(() => counts.resentSpans),
    ],
    decode_errors: ['What could not be decoded', labelled('reason', counts.decodeErrors)],
  }
  for (const [name, [help, rows]] of Object.entries(counters)) add(Counter, `${name}_total`, help, rows)
  const connections = single(() => counts.connections)
  add(Gauge, 'connections', 'Open connections of apps', connections)
  for (const [signal, outcomes] of Object.entries(exports))
    for (const outcome of ['exported', 'dropped'] as const) {
      const rows = single(() => outcomes[outcome])
      add(Counter, `${signal}_${outcome}_total`, 'On the way to the collector', rows)
    }
  return registry
}
