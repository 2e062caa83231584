import { AsyncLocalStorage } from 'node:async_hooks'
import { type LogFields, logTextOf } from '../lib/telemetry/logger.ts'
import { describeProcess, type Resource } from '../lib/telemetry/resource.ts'
import { ClientWatch } from '../lib/threads/envelope.ts'
import manifest from '../package.json' with { type: 'json' }

/** The description of this process of the app in logs and telemetry. */
export const resource: Resource = describeProcess({ service: 'app', version: manifest.version })

/** The handle of a span. Only the implementation of telemetry that made it knows its type. */
export type SpanHandle = unknown

export interface WorkTimes {
  /** Milliseconds from the call to the start. */
  readonly waitMs: number
  readonly runMs: number
}

interface Tracing {
  traceparent(span: SpanHandle): string | undefined
}

/** The state of one request, from its first byte to its last. */
export class RequestContext extends ClientWatch {
  readonly requestId: string
  /** The time by which the work of the request must have begun, in milliseconds by the monotonic clock. */
  readonly deadline: number
  readonly span: SpanHandle
  readonly #apm: Tracing
  #logFields: LogFields | undefined
  #logText: string | undefined

  /** @param span the span of the request in `apm` */
  constructor(requestId: string, deadline: number, span?: SpanHandle, apm: Tracing = untraced) {
    super()
    this.requestId = requestId
    this.deadline = deadline
    this.span = span
    this.#apm = apm
  }

  /**
   * The fields that every log line of this request has: its id, and the context of its span, if it has one. They are made
   * once, for the first line.
   */
  get logFields(): LogFields {
    this.#logFields ??= { requestId: this.requestId, ...describeSpan(this.traceparent) }
    return this.#logFields
  }

  /** The same fields as JSON, each after a comma. */
  get logText(): string {
    this.#logText ??= logTextOf(this)
    return this.#logText
  }

  get traceparent(): string | undefined {
    return this.#apm.traceparent(this.span)
  }
}

/** The request for which the running code works. */
export const requestContext = new AsyncLocalStorage<RequestContext>()

export const currentSpan = (): SpanHandle => requestContext.getStore()?.span

/** The trace context of a span by OpenTelemetry's names for fields of log lines. */
const describeSpan = (traceparent: string | undefined) =>
  traceparent && {
    trace_id: traceparent.slice(3, 35),
    span_id: traceparent.slice(36, 52),
    trace_flags: traceparent.slice(53, 55),
  }

const untraced = { traceparent: () => undefined }
