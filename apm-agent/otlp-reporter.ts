import type { Attributes } from '@opentelemetry/api'
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import type { MetricData, ResourceMetrics } from '@opentelemetry/sdk-metrics'
import { ATTR_SERVICE_NAME } from '@opentelemetry/semantic-conventions'
import { printable } from '../lib/cli/terminal.ts'
import type { RunningClock } from '../lib/os/running-time.ts'
import type { ReceivedMetric, ReceivedMetrics, Scope } from './otlp.ts'
import { NAMELESS } from './prometheus.ts'
import { identityOf, type Reporter } from './reporters.ts'

/** Points that were not sent for this long are forgotten, as by OpenTelemetry's collector. */
const FORGOTTEN_AFTER_MS = 5 * 60_000
/** The largest number of points of a process. */
const MAX_POINTS = 20_000

/** The reasons for which metrics are not shown that were said already. */
const said = new Set<string>()

/** The points of one metric of one scope. */
interface Stream {
  readonly scope: Scope
  metric: MetricData
  readonly points: Map<string, { readonly point: MetricData['dataPoints'][number]; readonly seenMs: number }>
}

/**
 * The metrics of a process that sends them as OTLP. It may send them in parts, so each point is kept until it is sent again, or
 * is sent without a value.
 */
export class OtlpReporter implements Reporter {
  readonly #resource: Resource
  readonly #clock: Pick<RunningClock, 'nowMs'>
  readonly #streams = new Map<string, Stream>()
  #size = 0

  constructor(resource: Attributes, clock: Pick<RunningClock, 'nowMs'>) {
    this.#resource = resourceFromAttributes(resource)
    this.#clock = clock
  }

  take({ scopes, notShown }: ReceivedMetrics): void {
    for (const { name, why } of notShown) this.#say(name, why)
    for (const { scope, metrics } of scopes) for (const received of metrics) this.#takeMetric(scope, received)
  }

  collect(): ResourceMetrics {
    this.#forget()
    const byScope = Map.groupBy(this.#streams.values(), ({ scope }) => JSON.stringify(scope))
    return {
      resource: this.#resource,
      scopeMetrics: [...byScope.values()].map(streams => ({
        scope: (streams[0] as Stream).scope,
        metrics: streams.map(({ metric, points }) => ({
          ...metric,
          dataPoints: [...points.values()].map(({ point }) => point) as never,
        })),
      })),
    }
  }

  #takeMetric(scope: Scope, { metric, valueless }: ReceivedMetric): void {
    const { name, unit } = metric.descriptor
    const key = JSON.stringify([scope, name, unit, metric.dataPointType])
    const stream = this.#streams.get(key) ?? { scope, metric, points: new Map() }
    this.#streams.set(key, stream)
    stream.metric = metric
    this.#size -= stream.points.size
    for (const attributes of valueless) stream.points.delete(identityOf(attributes))
    for (const point of metric.dataPoints) {
      const id = identityOf(point.attributes)
      if (this.#size + stream.points.size < MAX_POINTS || stream.points.has(id))
        stream.points.set(id, { point, seenMs: this.#clock.nowMs() })
      else this.#say(name, `one of more than ${MAX_POINTS} points of a process`)
    }
    this.#size += stream.points.size
  }

  #forget(): void {
    const sinceMs = this.#clock.nowMs() - FORGOTTEN_AFTER_MS
    for (const [key, { points }] of this.#streams) {
      for (const [id, { seenMs }] of points) if (seenMs < sinceMs && points.delete(id)) this.#size--
      if (points.size === 0) this.#streams.delete(key)
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
