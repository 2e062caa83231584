import { AsyncLocalStorage } from 'node:async_hooks'
import { context } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { ExportResultCode } from '@opentelemetry/core'
import {
  AggregationTemporality,
  MeterProvider,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { Histogram, Registry } from 'prom-client'
import { AppInstance } from '../../apm-agent/app-instance.ts'
import { DURATION_BOUNDARIES } from '../../apm-agent/histogram.ts'
import { Batch } from '../../apm-agent/main-thread/batch.ts'
import { OpenSpans } from '../../apm-agent/main-thread/open-spans.ts'
import { field, HEADER_BYTES, recordKinds } from '../../apm-agent/protocol.ts'
import type { Case } from './sample-thread.ts'

const GET = 1
const HTTP_1_1 = 2
const ROUTE = 1

const labels = { method: 'GET', route: '/demo', status: '200' }
const attributes = {
  'http.request.method': 'GET',
  'http.route': '/demo',
  'http.response.status_code': 200,
  'url.scheme': 'http',
  'network.protocol.version': '1.1',
}

/** Ways to record one request of 5 ms, with its duration and its labels. */
export const cases = {
  'AsyncLocalStorage, one run and one read': () => {
    const storage = new AsyncLocalStorage<object>()
    const context = {}
    const read = () => storage.getStore()
    return () => (storage.run(context, read) === context ? 1 : 0)
  },

  'our record (span and metric)': () => recordInto(new Batch()),

  'our record, aggregated by apm-agent': () => {
    const batch = new Batch()
    const instance = new AppInstance({ resource: {}, timeOriginMs: 0 })
    return recordInto(batch, () => instance.takeRecords(batch.memory, HEADER_BYTES, batch.endBytes))
  },

  'prom-client histogram': () => {
    const histogram = new Histogram({
      name: 'http_server_request_duration_seconds',
      help: 'Duration',
      labelNames: Object.keys(labels),
      buckets: DURATION_BOUNDARIES,
      registers: [new Registry()],
    })
    return () => histogram.observe(labels, 0.005)
  },

  'OpenTelemetry metric': () => {
    const reader = new PeriodicExportingMetricReader({ exporter: nowhere, exportIntervalMillis: 10_000 })
    const histogram = new MeterProvider({ readers: [reader] })
      .getMeter('bench')
      .createHistogram('http.server.request.duration', {
        advice: { explicitBucketBoundaries: DURATION_BOUNDARIES },
      })
    return () => histogram.record(0.005, { ...attributes })
  },

  'OpenTelemetry span': () => {
    const exporter = {
      export: (_spans: unknown, done: (result: { code: ExportResultCode }) => void) =>
        done({ code: ExportResultCode.SUCCESS }),
      shutdown: async () => {},
    }
    const spanProcessors = [new BatchSpanProcessor({ exporter, maxQueueSize: 65_536 })]
    context.setGlobalContextManager(new AsyncLocalStorageContextManager())
    const tracer = new TracerProvider({ spanProcessors }).getTracer('bench')
    return () => tracer.startSpan('GET /demo', { attributes: { ...attributes } }).end()
  },
} as const satisfies Record<string, Case>

/** Does for a request what the recorder does, without reading the headers. */
function recordInto(batch: Batch, onFull: () => void = () => {}): () => void {
  const spans = new OpenSpans(16, { isParentBased: true, ratio: 1 })
  return () => {
    const span = spans.openRoot(recordKinds.server, undefined)
    spans.set(span, field.method, GET)
    spans.set(span, field.protocolVersion, HTTP_1_1)
    spans.set(span, field.name, ROUTE)
    spans.set(span, field.status, 200)
    spans.end(span)
    batch.add(spans.memory, span)
    spans.release(span)
    if (!batch.isFull) return
    onFull()
    batch.clear()
  }
}

const nowhere: PushMetricExporter = {
  export: (_metrics, done) => done({ code: ExportResultCode.SUCCESS }),
  selectAggregationTemporality: () => AggregationTemporality.CUMULATIVE,
  forceFlush: async () => {},
  shutdown: async () => {},
}
