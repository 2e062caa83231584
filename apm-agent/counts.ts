import type { Attributes } from '@opentelemetry/api'
import { ATTR_SERVICE_INSTANCE_ID } from '@opentelemetry/semantic-conventions'
import type { Counts } from '../lib/processes/protocol.ts'
import type { Figure } from '../lib/telemetry/prometheus.ts'
import type { ExportCounts } from './collector.ts'

type Delivered = Record<'spans' | 'metricPoints', number>
type ByProtocol = Record<'records' | 'otlp', number>
/** Why received bytes are no frame that this version understands. */
export type FrameFault = 'garbage' | 'version' | 'size' | 'content' | 'limit' | 'partial'

type DecodeError = FrameFault | 'otlp'

/** Deliveries are counted separately for at most this number of instances; the oldest are forgotten. */
const MAX_INSTANCES = 256

/** All counts of apm-agent itself. */
export class AgentCounts {
  readonly spans: ByProtocol = { records: 0, otlp: 0 }
  readonly metricPoints: ByProtocol = { records: 0, otlp: 0 }
  /** Items of apps that were malformed. */
  readonly dropped: Record<keyof Delivered, number> = { spans: 0, metricPoints: 0 }
  /** Records of any kind, sampled or not. */
  records = 0
  connections = 0
  readonly decodeErrors: Record<DecodeError, number> = {
    garbage: 0,
    version: 0,
    size: 0,
    content: 0,
    limit: 0,
    partial: 0,
    otlp: 0,
  }

  readonly #byInstance = new Map<string, Delivered>()

  /** Counts items that came from the app instance with this resource. */
  add(
    signal: keyof Delivered,
    protocol: keyof ByProtocol,
    { [ATTR_SERVICE_INSTANCE_ID]: instance }: Attributes,
    count: number,
  ): void {
    this[signal][protocol] += count
    const delivered = this.deliveredBy(String(instance))
    this.#byInstance.set(String(instance), { ...delivered, [signal]: delivered[signal] + count })
    if (this.#byInstance.size > MAX_INSTANCES)
      this.#byInstance.delete(this.#byInstance.keys().next().value as string)
  }

  /** The items that came from one app instance. */
  deliveredBy(instance: string): Readonly<Delivered> {
    return this.#byInstance.get(instance) ?? { spans: 0, metricPoints: 0 }
  }

  /** The counts for the ledger of the stack. */
  delivered(): Counts {
    return {
      spans: { delivered: this.spans.records + this.spans.otlp, dropped: this.dropped.spans },
      metricPoints: {
        delivered: this.metricPoints.records + this.metricPoints.otlp,
        dropped: this.dropped.metricPoints,
      },
    }
  }
}

/** The words for the signals in names of metrics. */
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
    figure('decode_errors_total', 'What could not be decoded', by('reason', counts.decodeErrors)),
    figure('connections', 'Open connections of apps', one(counts.connections)),
    ...Object.entries(signalNames).flatMap(([signal, name]) =>
      Object.entries(exports[signal as keyof typeof signalNames]).map(([outcome, count]) =>
        figure(`${name}_${outcome}_total`, 'On the way to the collector', one(count)),
      ),
    ),
  ]
}
