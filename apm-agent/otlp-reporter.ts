import type { Attributes } from '@opentelemetry/api'
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import type { MetricData, ResourceMetrics } from '@opentelemetry/sdk-metrics'
import { ATTR_SERVICE_NAME } from '@opentelemetry/semantic-conventions'
import { printable } from '../lib/cli/terminal.ts'
import type { RunningClock } from '../lib/os/running-time.ts'
import type { ReceivedMetric, ReceivedMetrics } from './otlp-metrics.ts'
import { NAMELESS, type Scope } from './prometheus.ts'
import { identityOf, type Reporter } from './reporters.ts'

/** Points that were not sent for this long are forgotten, as by OpenTelemetry's collector. */
const FORGOTTEN_AFTER_MS = 5 * 60_000
/** The largest number of points of a process. */
const MAX_POINTS = 20_000

/** The reasons for which metrics are not shown that were said already. */
const said = new Set<string>()

/** The last point of a series, and the metric with which it came. */
interface Kept {
  readonly key: string
  readonly scope: Scope
  readonly metric: MetricData
  readonly point: MetricData['dataPoints'][number]
  readonly seenMs: number
}

/**
 * The metrics of a process that sends them as OTLP. It may send them in parts, so each point is kept until it is sent again, or
 * is sent without a value.
 */
export class OtlpReporter implements Reporter {
  readonly #resource: Resource
  readonly #clock: Pick<RunningClock, 'nowMs'>
  /** By metric and attributes. */
  readonly #series = new Map<string, Kept>()

  constructor(resource: Attributes, clock: Pick<RunningClock, 'nowMs'>) {
    this.#resource = resourceFromAttributes(resource)
    this.#clock = clock
  }

  take({ scopes, notShown }: ReceivedMetrics): void {
    for (const { name, why } of notShown) this.#say(name, why)
    for (const { scope, metrics } of scopes) for (const received of metrics) this.#takeMetric(scope, received)
  }

  collect(): ResourceMetrics {
    const sinceMs = this.#clock.nowMs() - FORGOTTEN_AFTER_MS
    for (const [id, { seenMs }] of this.#series) if (seenMs < sinceMs) this.#series.delete(id)
    const scopeMetrics = [...Map.groupBy(this.#series.values(), ({ key }) => key).values()].map(series => {
      const { scope, metric } = series.at(-1) as Kept
      return { scope, metrics: [{ ...metric, dataPoints: series.map(({ point }) => point) } as MetricData] }
    })
    return { resource: this.#resource, scopeMetrics }
  }

  #takeMetric(scope: Scope, { metric, valueless }: ReceivedMetric): void {
    const { name, unit } = metric.descriptor
    // A series keeps no other points of its request in memory.
    const described = { ...metric, dataPoints: [] }
    const key = JSON.stringify([scope, name, unit, metric.dataPointType])
    for (const attributes of valueless) this.#series.delete(key + identityOf(attributes))
    for (const point of metric.dataPoints) {
      const id = key + identityOf(point.attributes)
      if (this.#series.size < MAX_POINTS || this.#series.has(id))
        this.#series.set(id, { key, scope, metric: described, point, seenMs: this.#clock.nowMs() })
      else this.#say(name, `one of more than ${MAX_POINTS} points of a process`)
    }
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
