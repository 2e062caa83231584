import type { Server, ServerResponse } from 'node:http'
import type { MetricPoint } from '../../../apm-agent/protocol.ts'
import type { SignalCounts } from '../../../lib/processes/protocol.ts'
import type { Resource } from '../../../lib/resource.ts'

/**
 * Metrics and traces. The span contract, the same for every implementation: one SERVER span a request (`http.route`,
 * method, status), one CLIENT span an upstream call, one INTERNAL span a task or page part with its queue wait
 * as an attribute; no attribute of high cardinality.
 */
export interface Apm {
  /** Records the requests to this server, and to no other server of the process. */
  observe(server: Server): void
  /** A route begins to work for a request and names it (`http.route`). Answers the span of the request. */
  enterRoute(path: string, response: ServerResponse): SpanHandle
  /** The route is done, whether or not its client is still there: nothing more begins below this span. */
  leaveRoute(span: SpanHandle): void
  /** W3C trace context of a span; undefined without one. */
  traceparent(span: SpanHandle): string | undefined
  /** Begins to record a task or page part of a request. Those that travel together all end when their answer is there. */
  startWork(kind: WorkKind, name: string, parent: SpanHandle): SpanHandle
  endWork(span: SpanHandle, times: WorkTimes): void
  failWork(span: SpanHandle, error: Error): void
  /** Tells of threads and pools, whenever metrics are read. */
  watch(read: () => Promise<readonly MetricPoint[]>): void
  counts(): Record<'spans' | 'metricPoints', Pick<SignalCounts, 'emitted' | 'dropped'>>
  /** Delivers what is buffered. */
  close(): Promise<void>
}

/** What a span of work is named and described as: `task subsetSum` with `app.task.name`. */
export type WorkKind = 'task' | 'part'

export interface WorkTimes {
  /** From the call to the start. */
  readonly waitMs: number
  readonly runMs: number
}

/** What an implementation knows a span by; it says nothing to anyone else. */
export type SpanHandle = unknown

export interface ApmOptions {
  /** Base URL of an OTLP/HTTP receiver, for what is made in process. */
  readonly otlpUrl: string
  /** Unix socket of apm-agent, for records. */
  readonly apmSocket: string
  /** Records that apm-agent has not acked take up to this. */
  readonly apmMemoryMib: number
  /** How many of the traces that begin here are sampled, 0 to 1; a trace that comes with a request has decided. */
  readonly traceRatio: number
  readonly metricIntervalMs: number
  readonly resource: Resource
}

/** Called before any instrumented library is loaded. */
export type CreateApm = (options: ApmOptions) => Promise<Apm>
