import { context, trace } from '@opentelemetry/api'
import { createContextManager } from './otel-context.ts'
import { createTracer } from './otel-tracer.ts'
import type { Recorder } from './recorder.ts'

/**
 * Offers the spans of this process by OpenTelemetry's API: `trace.getActiveSpan()` for the fields of log lines, and a
 * tracer for spans of the service's own code. Nothing is made for a request whose code does not ask. If the service has
 * registered an SDK already, the API stays with that.
 */
export function offerApi(recorder: Recorder): void {
  const tracer = createTracer(recorder)
  if (trace.setGlobalTracerProvider({ getTracer: () => tracer }))
    context.setGlobalContextManager(createContextManager(recorder))
}
