import {
  type Context,
  context as contextApi,
  INVALID_SPAN_CONTEXT,
  isSpanContextValid,
  type Span,
  type SpanOptions,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { isTracingSuppressed } from '@opentelemetry/core'
import { ApiSpan, OwnSpan, type SpanRecorder } from './api-span.ts'
import { SPAN } from './calls.ts'

type Arguments<Result> =
  | [run: (span: Span) => Result]
  | [options: SpanOptions, run: (span: Span) => Result]
  | [options: SpanOptions, context: Context, run: (span: Span) => Result]

/** Makes spans of the service's own code. Their kind is INTERNAL; times, links and events that are given are left out. */
export function createTracer(recorder: SpanRecorder): Tracer {
  function startSpan(name: string, options?: SpanOptions, context: Context = contextApi.active()): Span {
    if (isTracingSuppressed(context)) return trace.wrapSpanContext(INVALID_SPAN_CONTEXT)
    const { attributes, root } = options ?? {}
    const parent = root ? undefined : trace.getSpan(context)
    const open = (parent instanceof ApiSpan && parent.holder[SPAN]) || 0
    const span = recorder.own.start(name, open, open ? undefined : traceparentOf(parent))
    return span
      ? new OwnSpan(recorder, { [SPAN]: span }, parent?.spanContext()?.traceState, attributes)
      : trace.wrapSpanContext(INVALID_SPAN_CONTEXT)
  }

  function startActiveSpan<Result>(name: string, ...args: Arguments<Result>): Result {
    const run = args.at(-1) as (span: Span) => Result
    const options = args.length > 1 ? (args[0] as SpanOptions) : undefined
    const context = args.length > 2 ? (args[1] as Context) : contextApi.active()
    const span = startSpan(name, options, context)
    return contextApi.with(trace.setSpan(context, span), run, undefined, span)
  }

  return { startSpan, startActiveSpan }
}

/** The trace context of a span that is over, or of another process. */
function traceparentOf(span: Span | undefined): string | undefined {
  const context = span?.spanContext()
  if (!context || !isSpanContextValid(context)) return undefined
  const { traceId, spanId, traceFlags } = context
  return `00-${traceId}-${spanId}-0${typeof traceFlags === 'number' ? traceFlags & 1 : 0}`
}
