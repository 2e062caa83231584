import { context, metrics, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  CompositePropagator,
  type ExportResult,
  ExportResultCode,
  W3CBaggagePropagator,
  W3CTraceContextPropagator,
} from '@opentelemetry/core'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  MeterProvider,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type SpanExporter,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { describeResource } from '../../../lib/telemetry/resource.ts'
import type { ApmOptions } from './contract.ts'
import { type OtlpValues, receiverOf } from './otlp-options.ts'

/** Starts the SDK, whose exporters count what they deliver, and registers its tracer for the whole process. */
export function startSdk(options: ApmOptions & OtlpValues) {
  const { metricIntervalMs, sampling, resource } = options
  const spanExporter = new CountingSpanExporter(new OTLPTraceExporter({ url: receiverOf('traces', options) }))
  const metricExporter = new CountingMetricExporter(
    new OTLPMetricExporter({ url: receiverOf('metrics', options) }),
  )
  const described = resourceFromAttributes(describeResource(resource))
  // The default queue of 2,048 spans is less than one second of this service under load.
  const spans = new CountingSpanProcessor(
    new BatchSpanProcessor({ exporter: spanExporter, maxQueueSize: 65_536 }),
  )
  const root = new TraceIdRatioBasedSampler(sampling.ratio)
  const sampler = sampling.isParentBased ? new ParentBasedSampler({ root }) : root
  const tracerProvider = new TracerProvider({
    resource: described,
    sampler,
    spanProcessors: [spans],
  })
  registerGlobally(tracerProvider)
  const meterProvider = new MeterProvider({
    resource: described,
    readers: [
      new PeriodicExportingMetricReader({ exporter: metricExporter, exportIntervalMillis: metricIntervalMs }),
    ],
  })
  metrics.setGlobalMeterProvider(meterProvider)
  const counts = () => ({
    spans: { emitted: spans.emitted, dropped: spans.emitted - spanExporter.delivered },
    metricPoints: {
      emitted: metricExporter.emitted,
      dropped: metricExporter.emitted - metricExporter.delivered,
    },
  })
  return { tracerProvider, meterProvider, counts }
}

/** Registers with the API all that instrumentations read there: tracers, the active span, and the headers that carry it. */
function registerGlobally(tracerProvider: TracerProvider): void {
  trace.setGlobalTracerProvider(tracerProvider)
  context.setGlobalContextManager(new AsyncLocalStorageContextManager())
  const propagators = [new W3CTraceContextPropagator(), new W3CBaggagePropagator()]
  propagation.setGlobalPropagator(new CompositePropagator({ propagators }))
}

/** Counts the sampled spans that end, before the queue that may drop some of them. */
class CountingSpanProcessor implements SpanProcessor {
  emitted = 0
  readonly #next: SpanProcessor

  constructor(next: SpanProcessor) {
    this.#next = next
  }

  onStart(...args: Parameters<SpanProcessor['onStart']>): void {
    this.#next.onStart(...args)
  }

  onEnd(span: ReadableSpan): void {
    this.emitted++
    this.#next.onEnd(span)
  }

  forceFlush = () => this.#next.forceFlush()
  shutdown = () => this.#next.shutdown()
}

/** Counts the spans that the receiver acknowledged. */
class CountingSpanExporter implements SpanExporter {
  delivered = 0
  readonly #next: SpanExporter

  constructor(next: SpanExporter) {
    this.#next = next
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.#next.export(spans, result => {
      if (result.code === ExportResultCode.SUCCESS) this.delivered += spans.length
      done(result)
    })
  }

  shutdown = () => this.#next.shutdown()
}

/** Counts the metric points that were exported, and those that the receiver acknowledged. */
class CountingMetricExporter implements PushMetricExporter {
  emitted = 0
  delivered = 0
  readonly #next: PushMetricExporter

  constructor(next: PushMetricExporter) {
    this.#next = next
  }

  export(metrics: ResourceMetrics, done: (result: ExportResult) => void): void {
    const points = countPoints(metrics)
    this.emitted += points
    this.#next.export(metrics, result => {
      if (result.code === ExportResultCode.SUCCESS) this.delivered += points
      done(result)
    })
  }

  forceFlush = () => this.#next.forceFlush()
  shutdown = () => this.#next.shutdown()
}

const countPoints = ({ scopeMetrics }: ResourceMetrics) =>
  scopeMetrics
    .flatMap(({ metrics }) => metrics)
    .reduce((total, { dataPoints }) => total + dataPoints.length, 0)
