import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import type { PushMetricExporter, ResourceMetrics } from '@opentelemetry/sdk-metrics'
import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace'

/** Counts the sampled spans that end, before the queue that may drop some of them. */
export class CountingSpanProcessor implements SpanProcessor {
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
export class CountingSpanExporter implements SpanExporter {
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
export class CountingMetricExporter implements PushMetricExporter {
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
