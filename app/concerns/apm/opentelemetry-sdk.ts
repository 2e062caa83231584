import { context, metrics, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { describeResource } from '../../../lib/telemetry/resource.ts'
import { countExports } from '../../server/telemetry.ts'
import type { ApmOptions } from './contract.ts'
import { type OtlpValues, receiverOf } from './otlp-options.ts'

/** Starts the SDK, and registers its tracer for the whole process. */
export function startSdk(options: ApmOptions & OtlpValues) {
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
