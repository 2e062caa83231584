import type { Server } from 'node:http'
import { createRequire } from 'node:module'
import {
  type Attributes,
  context,
  metrics,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  CompositePropagator,
  getRPCMetadata,
  W3CBaggagePropagator,
  W3CTraceContextPropagator,
} from '@opentelemetry/core'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { registerInstrumentations } from '@opentelemetry/instrumentation'
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http'
import { RuntimeNodeInstrumentation } from '@opentelemetry/instrumentation-runtime-node'
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { ATTR_ERROR_TYPE } from '@opentelemetry/semantic-conventions'
import { errorTypeOf } from '../../../lib/telemetry/call-times.ts'
import { describeResource } from '../../../lib/telemetry/resource.ts'
import { countExports, readExportCounts, watchWith } from '../../server/telemetry.ts'
import type { Apm, ApmOptions, CreateApm } from './contract.ts'
import { type OtlpValues, receiverOf } from './otlp-options.ts'

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

/** Starts the SDK, and registers its tracer for the whole process. */
function startSdk(options: ApmOptions & OtlpValues) {
  const { metricIntervalMs, sampling, resource } = options
  const spanExporter = new OTLPTraceExporter({ url: receiverOf('traces', options) })
  const metricExporter = new OTLPMetricExporter({ url: receiverOf('metrics', options) })
  const described = resourceFromAttributes(describeResource(resource))
  // The default queue of 2,048 spans is less than one second of this service under load.
  const spans = new BatchSpanProcessor({ exporter: spanExporter, maxQueueSize: 65_536 })
  countExports(spans, spanExporter, metricExporter)
  const root = new TraceIdRatioBasedSampler(sampling.ratio)
  const sampler = sampling.isParentBased ? new ParentBasedSampler({ root }) : root
  const tracerProvider = new TracerProvider({ resource: described, sampler, spanProcessors: [spans] })
  registerGlobally(tracerProvider)
  const reader = new PeriodicExportingMetricReader({
    exporter: metricExporter,
    exportIntervalMillis: metricIntervalMs,
  })
  const meterProvider = new MeterProvider({ resource: described, readers: [reader] })
  metrics.setGlobalMeterProvider(meterProvider)
  return { tracerProvider, meterProvider }
}

/** Registers with the API all that instrumentations read there: tracers, the active span, and the headers that carry it. */
function registerGlobally(tracerProvider: TracerProvider): void {
  trace.setGlobalTracerProvider(tracerProvider)
  context.setGlobalContextManager(new AsyncLocalStorageContextManager())
  const propagators = [new W3CTraceContextPropagator(), new W3CBaggagePropagator()]
  propagation.setGlobalPropagator(new CompositePropagator({ propagators }))
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
