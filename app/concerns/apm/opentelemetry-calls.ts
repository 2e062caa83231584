import { context, metrics, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici'
import { ATTR_ERROR_TYPE } from '@opentelemetry/semantic-conventions'
import { DURATION_BOUNDARIES } from '../../../apm-agent/histogram.ts'
import type { CallRecorder } from '../../../lib/telemetry/call-times.ts'
import { monotonicMs } from '../../../lib/units.ts'

/** Records the upstream calls of other threads with the SDK that is started, like UndiciInstrumentation those of this thread. */
export function recordCalls(): CallRecorder {
  // In the same scope, calls of all threads are one metric.
  const { instrumentationName, instrumentationVersion } = new UndiciInstrumentation({ enabled: false })
  const durations = metrics
    .getMeter(instrumentationName, instrumentationVersion)
    .createHistogram('http.client.request.duration', {
      description: 'Measures the duration of outbound HTTP requests.',
      unit: 's',
      advice: { explicitBucketBoundaries: [...DURATION_BOUNDARIES] },
    })
  const tracer = trace.getTracer('app')
  const below = (span: unknown) => (span ? trace.setSpan(context.active(), span as Span) : context.active())
  return {
    startCall(url, parent) {
      const { protocol, hostname, port } = new URL(url)
      const attributes = {
        'http.request.method': 'GET',
        'url.scheme': protocol.slice(0, -1),
        'server.address': hostname,
        ...(port && { 'server.port': Number(port) }),
      }
      const span = tracer.startSpan('GET', { kind: SpanKind.CLIENT, attributes }, below(parent))
      return { span, attributes }
    },
    callHeaders(call) {
      const headers: Record<string, string> = {}
      propagation.inject(below((call as Call).span), headers)
      return headers
    },
    endCall(call, { startedAtMs, durationMs, status, errorType, wasSent }) {
      const { span, attributes } = call as Call
      const failure = errorType ?? (status >= 400 ? String(status) : undefined)
      const outcome = {
        ...(wasSent && { 'network.protocol.version': '1.1' }),
        ...(status && { 'http.response.status_code': status }),
        ...(failure && { [ATTR_ERROR_TYPE]: failure }),
      }
      span.setAttributes(outcome)
      if (failure) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end(Date.now() - (monotonicMs() - startedAtMs - durationMs))
      durations.record(durationMs / 1000, { ...attributes, ...outcome })
    },
    // A span that never ends is never exported.
    drop: () => {},
  }
}

interface Call {
  readonly span: Span
  readonly attributes: Readonly<Record<string, string | number>>
}
