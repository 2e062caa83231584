import type { Server, ServerResponse } from 'node:http'
import type { Sampling } from '../../../lib/telemetry/otel-environment.ts'
import type { Resource } from '../../../lib/telemetry/resource.ts'
import type { SpanHandle, WorkTimes } from '../../context.ts'
import type { ReadTelemetryCounts, Watch } from '../../server/telemetry.ts'

/**
 * Metrics and traces. The span contract is the same for every implementation: one SERVER span per request
 * (`http.route`, method, status), one CLIENT span per upstream call, and one INTERNAL span per task or rendered page, with
 * its queue wait as an attribute. No attribute has high cardinality.
 */
export interface Apm {
  /** Records the requests to this server, and to no other server of the process. */
  instrument(server: Server): void
  /** Notes that a route (`http.route`) begins to work for a request, and returns the span of the request. */
  enterRoute(path: string, response: ServerResponse): SpanHandle
  /**
   * Notes that the route is done, whether or not its client is still connected. No further span begins below this one.
   */
  leaveRoute(span: SpanHandle): void
  /** The W3C trace context of a span; undefined without a span. */
  traceparent(span: SpanHandle): string | undefined
  /**
   * Begins to record a task or the rendering of a page of a request. Tasks that are sent in one message all end when their reply
   * arrives.
   */
  startWork(kind: WorkKind, name: string, parent: SpanHandle): SpanHandle
  endWork(span: SpanHandle, times: WorkTimes): void
  failWork(span: SpanHandle, error: Error): void
  readonly watch: Watch
  readonly counts: ReadTelemetryCounts
  /** Delivers buffered metrics and spans. */
  close(): Promise<void>
}

/** The kind of work appears in the name and the attributes of its span: `task subsetSum` with `app.task.name`. */
export type WorkKind = 'task' | 'render'

export interface ApmOptions {
  readonly sampling: Sampling
  readonly metricIntervalMs: number
  readonly resource: Resource
}

/** Must be called before any instrumented library is loaded. */
export type CreateApm<Made extends Apm = Apm, Own = unknown> = (options: ApmOptions & Own) => Promise<Made>
