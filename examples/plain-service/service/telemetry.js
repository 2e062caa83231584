import { createRequire } from 'node:module'
import { isMainThread } from 'node:worker_threads'
import { context } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { registerInstrumentations } from '@opentelemetry/instrumentation'
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http'
import { RuntimeNodeInstrumentation } from '@opentelemetry/instrumentation-runtime-node'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'

// Node.js loads this module in worker threads, too.
if (isMainThread) start()

function start() {
  const spans = new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })
  const tracerProvider = new TracerProvider({ spanProcessors: [spans] })
  const exporter = new OTLPMetricExporter()
  const meterProvider = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter })] })

  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  registerInstrumentations({
    tracerProvider,
    meterProvider,
    instrumentations: [new HttpInstrumentation(), new RuntimeNodeInstrumentation()],
  })
  // The instrumentation of node:http begins when a CommonJS module loads it.
  createRequire(import.meta.url)('http')
  process.once('beforeExit', () => Promise.allSettled([tracerProvider.shutdown(), meterProvider.shutdown()]))
}
