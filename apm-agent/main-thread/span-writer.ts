import { beats } from '../../lib/main-thread/beats.ts'
import { errorTypeOf } from '../../lib/telemetry/call-times.ts'
import type { Sampling } from '../../lib/telemetry/otel-environment.ts'
import { field } from '../protocol.ts'
import type { Batch, BatchSink } from './batch.ts'
import { type OpenSpan, OpenSpans, type RecordKind } from './open-spans.ts'
import type { Strings } from './strings.ts'

/** The number of spans that may be open at once. */
export const OPEN_SPANS = 16_384

/** Adds ended spans to a batch and sends batches to the sink. */
export class SpanWriter {
  /** Number of sampled spans that ended. */
  emitted = 0
  /** Number of sampled spans that were lost, because there was no room for them. */
  dropped = 0
  /** If true, records do not wait for others. */
  flushesAtOnce = false
  readonly spans: OpenSpans
  readonly strings: Strings
  readonly #sink: BatchSink
  #batch: Batch | undefined

  constructor(sink: BatchSink, strings: Strings, sampling: Sampling) {
    this.spans = new OpenSpans(OPEN_SPANS, sampling)
    this.strings = strings
    this.#sink = sink
  }

  /**
   * Opens a span below `parent`; without one, a span that continues the trace in `traceparent`, or begins a trace.
   * @returns 0 if there is no room, which is counted
   */
  open(kind: RecordKind, parent: OpenSpan, traceparent?: string): OpenSpan {
    const span = parent ? this.spans.openChild(kind, parent) : this.spans.openRoot(kind, traceparent)
    if (!span) this.miss()
    return span
  }

  end(span: OpenSpan): void {
    this.spans.end(span)
    this.add(span)
    this.spans.release(span)
  }

  /** Ends a span of which no metric is made: if it is not sampled, it was needed only for its trace context. */
  endWork(span: OpenSpan): void {
    if (this.spans.isSampled(span)) this.end(span)
    else this.spans.release(span)
  }

  fail(span: OpenSpan, error: unknown): void {
    this.failAs(span, errorTypeOf(error))
  }

  /** @param errorType the value of `error.type` */
  failAs(span: OpenSpan, errorType: string): void {
    this.spans.fail(span, this.strings.id(errorType))
  }

  /** Sets a field to the id of a string. */
  name(span: OpenSpan, text: string, offset: number = field.name, limit?: number): void {
    this.spans.set(span, offset, this.strings.id(text, limit))
  }

  /** Adds a complete record to the batch. */
  add(span: OpenSpan): void {
    const sampled = this.spans.isSampled(span)
    if (sampled) this.emitted++
    this.#batch ??= this.#sink.take()
    if (!this.#batch) {
      if (sampled) this.dropped++
      return
    }
    this.#batch.add(this.spans.memory, span)
    if (sampled) this.#batch.spans++
    if (this.#batch.isFull || this.flushesAtOnce) this.flush()
    else beats.call(this.#flushAtBeat)
  }

  /** Counts a span for which there was no room, because too many spans were open. */
  miss(): void {
    this.emitted++
    this.dropped++
  }

  /** Sends the records so far. */
  flush(): void {
    if (!this.#batch?.records) return
    const batch = this.#batch
    this.#batch = undefined
    this.#sink.send(batch)
  }

  #flushAtBeat = (): void => {
    if (this.#sink.takesPartialBatches) this.flush()
    else if (this.#batch) beats.call(this.#flushAtBeat)
  }
}
