import { context, propagation, trace } from '@opentelemetry/api'
import { createContextManager } from './otel-context.ts'
import { watchMetrics } from './otel-metrics.ts'
import { propagator } from './otel-propagation.ts'
import { createTracer } from './otel-tracer.ts'
import type { Recorder } from './recorder.ts'

/** The trace of a log line, by OpenTelemetry's names for fields in other formats than OTLP. */
export interface TraceFields {
  readonly trace_id?: string
  readonly span_id?: string
  readonly trace_flags?: string
}

/**
 * Offers the spans of this process by OpenTelemetry's API: `trace.getActiveSpan()` for the fields of log lines, and a
 * tracer for spans of the service's own code, with their propagation to other processes and threads. Nothing is made for a
 * request whose code does not ask. If the service has registered an SDK already, the API stays with that.
 */
export function offerApi(recorder: Recorder): void {
  const tracer = createTracer(recorder)
  if (!trace.setGlobalTracerProvider({ getTracer: () => tracer })) return
  context.setGlobalContextManager(createContextManager(recorder))
  propagation.setGlobalPropagator(propagator)
  watchMetrics()
}

/** The fields that link a log line to the active span, for any logger: `pino({ mixin: traceFields })`. */
export function traceFields(): TraceFields {
  const context = trace.getActiveSpan()?.spanContext()
  if (!context) return {}
  const { traceId, spanId, traceFlags } = context
  return { trace_id: traceId, span_id: spanId, trace_flags: `0${traceFlags & 1}` }
}
