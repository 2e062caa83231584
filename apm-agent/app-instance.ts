import { type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import type { ResourceMetrics } from '@opentelemetry/sdk-metrics'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { Measurements } from './metric-data.ts'
import { OWN_SCOPE } from './metrics.ts'
import {
  field,
  LAST_MS,
  MAX_STRING_LENGTH,
  MAX_STRINGS,
  type Memory,
  RECORD_BYTES,
  recordKinds,
  type Sender,
  type StringsPayload,
} from './protocol.ts'
import { RecordView } from './record-view.ts'
import type { Reporter } from './reporters.ts'

/** What exports the spans of records. */
export interface SpanExport {
  /** Makes the span of a record. Its memory will be that of another record. */
  describe(record: RecordView, resource: Resource, timeOriginMs: number): ReadableSpan
  /**
   * Takes the spans of one frame, and calls `settle` when each was exported or counted as dropped. If it gives them up
   * uncounted, it does not call `settle`.
   */
  take(spans: readonly ReadableSpan[], settle: () => void): void
}

/** The state of one process of the app, built from its records and points. */
export class AppInstance implements Reporter {
  readonly resource: Resource
  readonly measured: Measurements
  readonly acks = new FrameAcks()
  readonly #timeOriginMs: number
  readonly #strings: string[] = ['']
  readonly #record: RecordView
  readonly #spans: SpanExport | undefined

  /** @param spans if absent, no spans are made of the records */
  constructor({ resource, timeOriginMs }: Sender, spans?: SpanExport) {
    this.resource = resourceFromAttributes(resource)
    this.measured = new Measurements(timeOriginMs)
    this.#timeOriginMs = timeOriginMs
    this.#spans = spans
    this.#record = new RecordView(this.#strings)
  }

  /** Stores strings by their ids, which are assigned in order. The strings of a frame that was malformed are empty. */
  takeStrings({ firstId, strings }: StringsPayload): void {
    for (const [index, text] of strings.entries()) {
      const id = firstId + index
      if (id < 1 || id >= MAX_STRINGS) continue
      while (this.#strings.length < id) this.#strings.push('')
      this.#strings[id] = text.slice(0, MAX_STRING_LENGTH)
    }
  }

  /**
   * @param settle is called when the spans of these records were exported or counted as dropped
   * @returns the numbers of valid and of malformed records, and of sampled spans among either
   */
  takeRecords(memory: Memory, start: number, end: number, settle: () => void = () => {}) {
    const taken = { records: 0, spans: 0, malformed: 0, malformedSpans: 0 }
    const spans: ReadableSpan[] = []
    for (let at = start; at + RECORD_BYTES <= end; at += RECORD_BYTES) {
      this.#record.moveTo(memory, at)
      if (!this.#take(this.#record, spans)) {
        taken.malformed++
        if (this.#record.isSampled) taken.malformedSpans++
        continue
      }
      taken.records++
      if (this.#record.isSampled) taken.spans++
    }
    if (this.#spans) this.#spans.take(spans, settle)
    else settle()
    return taken
  }

  collect(): ResourceMetrics {
    return {
      resource: this.resource,
      scopeMetrics: [{ scope: OWN_SCOPE, metrics: this.measured.describe() }],
    }
  }

  #take(record: RecordView, spans: ReadableSpan[]): boolean {
    const startMs = this.#timeOriginMs + record.startMs
    if (!(record.durationMs >= 0 && startMs >= 0 && startMs + record.durationMs <= LAST_MS)) return false
    const seconds = record.durationMs / 1000
    const { durations } = this.measured
    switch (record.kind) {
      case recordKinds.server:
        durations.server.record(keyOf(record, field.name), seconds, () => record.describeRequest())
        break
      case recordKinds.client:
        durations.client.record(keyOf(record, field.authority), seconds, () => record.describeCall())
        break
      case recordKinds.gc:
        durations.gc.record(record.uint16(field.name), seconds, () => ({ 'v8js.gc.type': record.name }))
        return true
      case recordKinds.task:
      case recordKinds.render:
      case recordKinds.own:
        break
      default:
        return false
    }
    if (this.#spans && record.isSampled)
      spans.push(this.#spans.describe(record, this.resource, this.#timeOriginMs))
    return true
  }
}

/** All attributes of the series of a request, combined in one number below 2^53. */
const keyOf = (record: RecordView, nameOffset: number): number =>
  (((record.uint16(nameOffset) * 1024 + record.status) * 16 + record.uint16(field.method)) * 8 +
    record.uint16(field.protocolVersion)) *
    4096 +
  record.uint16(field.errorType)

/**
 * The frames of one app from their arrival until they are acknowledged. An ack covers all earlier frames, so a frame is
 * acknowledged when it and all frames before it are settled: exported, or counted as dropped.
 */
class FrameAcks {
  /** Functions that send an ack to the app, one for each of its connections. */
  readonly senders = new Set<(sequence: number) => void>()
  readonly #unsettled: { readonly sequence: number; isSettled: boolean }[] = []
  #received = 0
  #acknowledged = 0

  /** The sequence of the last frame that was taken. */
  get received(): number {
    return this.#received
  }

  /** The sequence of the last frame that is settled together with all frames before it. */
  get acknowledged(): number {
    return this.#acknowledged
  }

  /** Notes a new frame. @returns a function to call when the frame is settled */
  take(sequence: number): () => void {
    const frame = { sequence, isSettled: false }
    this.#unsettled.push(frame)
    this.#received = sequence
    return () => {
      frame.isSettled = true
      this.#advance()
    }
  }

  #advance(): void {
    const before = this.#acknowledged
    while (this.#unsettled[0]?.isSettled)
      this.#acknowledged = (this.#unsettled.shift() as { sequence: number }).sequence
    if (this.#acknowledged > before) for (const send of this.senders) send(this.#acknowledged)
  }
}
