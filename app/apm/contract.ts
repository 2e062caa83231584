import type { Server } from 'node:http'
import type { SignalCounts } from '../../stack/protocol.ts'
import type { TaskResult } from '../compute/contract.ts'
import type { Resource } from '../resource.ts'

/**
 * Metrics and traces. The span contract, the same for every implementation: one SERVER span a request (`http.route`,
 * method, status), one CLIENT span an upstream call, one INTERNAL span a task with its queue wait as an attribute;
 * no attribute of high cardinality.
 */
export interface Apm {
  /** Records the requests to this server, and to no other server of the process. */
  observe(server: Server): void
  /** Names the route (`http.route`) of the running request. */
  route(path: string): void
  /** W3C trace context of the active span; undefined without one. */
  traceparent(): string | undefined
  /** Begins to record a task of the running request. */
  startTask(name: string): TaskSpan
  counts(): Record<'spans' | 'metricPoints', Pick<SignalCounts, 'emitted' | 'dropped'>>
  /** Delivers what is buffered. */
  close(): Promise<void>
}

/** The INTERNAL span of one task. Tasks that travel together all end when their answer is there. */
export interface TaskSpan {
  readonly traceparent: string | undefined
  end(result: Pick<TaskResult<unknown>, 'waitMs' | 'runMs'>): void
  fail(error: Error): void
}

export interface ApmOptions {
  /** Base URL of an OTLP/HTTP receiver. */
  readonly otlpUrl: string
  readonly metricIntervalMs: number
  readonly resource: Resource
}

/** Called before any instrumented library is loaded. */
export type CreateApm = (options: ApmOptions) => Promise<Apm>
