import type { Attributes } from '@opentelemetry/api'
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import type { MetricData, ResourceMetrics } from '@opentelemetry/sdk-metrics'
import { ATTR_SERVICE_NAME } from '@opentelemetry/semantic-conventions'
import { printable } from '../lib/cli/terminal.ts'
import type { RunningClock } from '../lib/os/running-time.ts'
import type { ReceivedMetrics, ScopedMetric } from './otlp-metrics.ts'
import { NAMELESS } from './prometheus.ts'
import type { Reporter } from './reporters.ts'

/** Metrics that were not sent for this long are forgotten, as by OpenTelemetry's collector. */
const FORGOTTEN_AFTER_MS = 5 * 60_000
/** The largest number of points of a process. */
const MAX_POINTS = 20_000

const NOT_CUMULATIVE =
  'no gauge, and no cumulative sum or histogram with buckets (OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE=cumulative)'

/** The reasons for which metrics are not shown that were said already. */
const said = new Set<string>()

type Kept = ScopedMetric & { readonly seenMs: number }

/** The metrics of a process that sends them as OTLP, each with the points with which it came last. */
export class OtlpReporter implements Reporter {
  readonly #resource: Resource
  readonly #clock: Pick<RunningClock, 'nowMs'>
  readonly #metrics = new Map<string, Kept>()
  #points = 0

  constructor(resource: Attributes, clock: Pick<RunningClock, 'nowMs'>) {
    this.#resource = resourceFromAttributes(resource)
    this.#clock = clock
  }

  take({ metrics, notShown }: ReceivedMetrics): void {
    for (const name of notShown) this.#say(name, NOT_CUMULATIVE)
    for (const each of metrics) this.#keep(each)
  }

  collect(): ResourceMetrics {
    const sinceMs = this.#clock.nowMs() - FORGOTTEN_AFTER_MS
    for (const [key, { seenMs }] of this.#metrics) if (seenMs < sinceMs) this.#forget(key)
    const kept = [...this.#metrics.values()]
    return {
      resource: this.#resource,
      scopeMetrics: kept.map(({ scope, metric }) => ({ scope, metrics: [metric] })),
    }
  }

  #keep({ scope, metric }: ScopedMetric): void {
    const { name, unit } = metric.descriptor
    const key = JSON.stringify([scope, name, unit, metric.dataPointType])
    this.#forget(key)
    if (this.#points + countPoints(metric) > MAX_POINTS)
      return this.#say(name, `one of more than ${MAX_POINTS} points of a process`)
    this.#metrics.set(key, { scope, metric, seenMs: this.#clock.nowMs() })
    this.#points += countPoints(metric)
  }

  #forget(key: string): void {
    const kept = this.#metrics.get(key)
    if (kept && this.#metrics.delete(key)) this.#points -= countPoints(kept.metric)
  }

  #say(name: string, why: string): void {
    if (said.has(why)) return
    said.add(why)
    const service = this.#resource.attributes[ATTR_SERVICE_NAME] ?? NAMELESS
    process.stderr.write(
      `${printable(`warning: /metrics lacks ${name} of ${service} and what is like it, because it is ${why}`)}\n`,
    )
  }
}

/** A metric without points needs memory, too. */
const countPoints = ({ dataPoints }: MetricData): number => 1 + dataPoints.length
