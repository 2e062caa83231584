import type { Server } from 'node:http'
import { createRequire } from 'node:module'
import { type Attributes, context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { getRPCMetadata } from '@opentelemetry/core'
import { registerInstrumentations } from '@opentelemetry/instrumentation'
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http'
import { RuntimeNodeInstrumentation } from '@opentelemetry/instrumentation-runtime-node'
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici'
import { ATTR_ERROR_TYPE } from '@opentelemetry/semantic-conventions'
import { errorTypeOf } from '../../../lib/telemetry/call-times.ts'
import { readExportCounts, watchWith } from '../../server/telemetry.ts'
import type { Apm, CreateApm } from './contract.ts'
import { startSdk } from './opentelemetry-sdk.ts'
import type { OtlpValues } from './otlp-options.ts'

/** Runs OpenTelemetry's SDK in this process, set up as its manual shows. */
export const createApm: CreateApm<Apm, OtlpValues> = async options => {
  const { tracerProvider, meterProvider } = startSdk(options)
  let instrumented: Server | undefined
  registerInstrumentations({
    tracerProvider,
    meterProvider,
    instrumentations: [
      new HttpInstrumentation({
        ignoreIncomingRequestHook: request => serverOf(request.socket) !== instrumented,
        startIncomingSpanHook: () => leftOutOfServerSpans,
        disableOutgoingRequestInstrumentation: true,
      }),
      new UndiciInstrumentation({ startSpanHook: () => leftOutOfClientSpans }),
      new RuntimeNodeInstrumentation(),
    ],
  })
  // The instrumentation wraps http.Server.prototype when a CommonJS module loads `http`. This one `require` causes
  // that, so no loader hook for ES modules is needed.
  createRequire(import.meta.url)('http')
  const tracer = trace.getTracer('app')

  return {
    instrument(server) {
      instrumented = server
    },
    // The route is named here and not by the instrumentations of the frameworks. Those would also add a span or a
    // wrapped function for each layer, so that the framework step would change this concern as well.
    enterRoute(path) {
      const metadata = getRPCMetadata(context.active())
      if (metadata) metadata.route = path
      return trace.getActiveSpan()
    },
    leaveRoute: () => {},
    traceparent: span => formatTraceparent(span as Span | undefined),
    startWork: (kind, name, parent) =>
      tracer.startSpan(
        `${kind} ${name}`,
        {
          kind: SpanKind.INTERNAL,
          attributes: { [`app.${kind}.name`]: name },
        },
        parent ? trace.setSpan(context.active(), parent as Span) : context.active(),
      ),
    endWork(handle, { waitMs, runMs }) {
      const span = handle as Span
      span.setAttributes({ 'app.queue_wait_ms': waitMs, 'app.run_ms': runMs })
      span.end()
    },
    failWork(handle, error) {
      const span = handle as Span
      span.setAttribute(ATTR_ERROR_TYPE, errorTypeOf(error))
      span.setStatus({ code: SpanStatusCode.ERROR, message: error.message })
      span.end()
    },
    watch: watchWith(meterProvider.getMeter('app')),
    counts: readExportCounts,
    async close() {
      await Promise.allSettled([tracerProvider.shutdown(), meterProvider.shutdown()])
    },
  }
}

function formatTraceparent(span: Span | undefined): string | undefined {
  const context = span?.spanContext()
  return (
    context && `00-${context.traceId}-${context.spanId}-${context.traceFlags.toString(16).padStart(2, '0')}`
  )
}

/** The server that accepted a connection; node:http sets this field on every socket. */
const serverOf = (socket: object) => (socket as { server?: Server }).server

/**
 * Attributes that the instrumentations record by default and the span contract excludes, because they have high
 * cardinality or are personal data.
 */
const leftOutOfServerSpans: Attributes = {
  'url.path': undefined,
  'url.query': undefined,
  'user_agent.original': undefined,
  'client.address': undefined,
  'network.peer.address': undefined,
  'network.peer.port': undefined,
}
const leftOutOfClientSpans: Attributes = {
  'url.full': undefined,
  'url.path': undefined,
  'url.query': undefined,
  'user_agent.original': undefined,
}
