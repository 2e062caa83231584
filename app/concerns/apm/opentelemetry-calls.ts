import {
  type Context,
  context,
  type Meter,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { type IdGenerator, RandomIdGenerator } from '@opentelemetry/sdk-trace'
import { ATTR_ERROR_TYPE } from '@opentelemetry/semantic-conventions'
import { DURATION_BOUNDARIES } from '../../../apm-agent/histogram.ts'
import { monotonicMs } from '../../../lib/units.ts'
import type { Apm } from './contract.ts'

/** A call that another thread makes. Its span is made when it has ended, with this id. */
interface Call {
  readonly url: URL
  readonly spanId: string
  readonly context: Context
}

/** Makes random ids, and a given id for the next span. */
export class ChosenIds implements IdGenerator {
  readonly #random = new RandomIdGenerator()
  #next: string | undefined
  generateTraceId = () => this.#random.generateTraceId()
  generateSpanId = () => {
    const id = this.#next ?? this.#random.generateSpanId()
    this.#next = undefined
    return id
  }

  choose(id: string): void {
    this.#next = id
  }
}

/** Records the upstream calls of other threads, like UndiciInstrumentation those of this thread. */
export function recordCalls(
  tracer: Tracer,
  meter: Meter,
  ids: ChosenIds,
): Pick<Apm, 'startCall' | 'callHeaders' | 'endCall' | 'drop'> {
  const durations = meter.createHistogram('http.client.request.duration', {
    description: 'Measures the duration of outbound HTTP requests.',
    unit: 's',
    advice: { explicitBucketBoundaries: [...DURATION_BOUNDARIES] },
  })
  return {
    startCall: (url, parent): Call => ({
      url: new URL(url),
      spanId: ids.generateSpanId(),
      context: parent ? trace.setSpan(context.active(), parent as Span) : context.active(),
    }),
    callHeaders(handle) {
      const { spanId, context } = handle as Call
      const parent = trace.getSpanContext(context)
      const headers: Record<string, string> = {}
      if (parent) propagation.inject(trace.setSpanContext(context, { ...parent, spanId }), headers)
      return headers
    },
    endCall(handle, { startedAtMs, durationMs, status, errorType, wasSent }) {
      const { url, spanId, context } = handle as Call
      const failure = errorType ?? (status >= 400 ? String(status) : undefined)
      const attributes = {
        'http.request.method': 'GET',
        'url.scheme': url.protocol.slice(0, -1),
        'server.address': url.hostname,
        ...(url.port && { 'server.port': Number(url.port) }),
        ...(wasSent && { 'network.protocol.version': '1.1' }),
        ...(status && { 'http.response.status_code': status }),
        ...(failure && { [ATTR_ERROR_TYPE]: failure }),
      }
      const startTime = Date.now() - (monotonicMs() - startedAtMs)
      ids.choose(spanId)
      const span = tracer.startSpan('GET', { kind: SpanKind.CLIENT, attributes, startTime }, context)
      if (failure) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end(startTime + durationMs)
      durations.record(durationMs / 1000, attributes)
    },
    drop: () => {},
  }
}
