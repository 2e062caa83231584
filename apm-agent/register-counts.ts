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
  const labelled = (label: string, values: Readonly<Record<string, number>>): Rows => {
    return () => Object.entries(values).map(([key, value]) => [{ [label]: key }, value])
  }
  const single = (read: () => number): Rows => {
    return () => [[{}, read()]]
  }

  add(
    Counter,
    'records_received_total',
    'Records, sampled or not',
    single(() => counts.records),
  )
  add(Counter, 'spans_received_total', 'Sampled spans', labelled('protocol', counts.spans))
  add(Counter, 'metric_points_received_total', 'Metric points', labelled('protocol', counts.metricPoints))
  add(
    Counter,
    'frames_repeated_total',
    'Frames that came twice',
    single(() => counts.repeatedFrames),
  )
  add(
    Counter,
    'spans_resent_total',
    'Spans that an earlier apm-agent may have exported already',
    single(() => counts.resentSpans),
  )
  add(Counter, 'decode_errors_total', 'What could not be decoded', labelled('reason', counts.decodeErrors))
  add(
    Gauge,
    'connections',
    'Open connections of apps',
    single(() => counts.connections),
  )
  for (const [signal, outcomes] of Object.entries(exports))
    for (const outcome of ['exported', 'dropped'] as const)
      add(
        Counter,
        `${signal}_${outcome}_total`,
        'On the way to the collector',
        single(() => outcomes[outcome]),
      )
  return registry
}
