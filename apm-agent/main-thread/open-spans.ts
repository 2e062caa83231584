import { randomFillSync } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import type { Sampling } from '../../lib/telemetry/otel-environment.ts'
import { allocate, FAILED, field, type Memory, RECORD_BYTES, type recordKinds, SAMPLED } from '../protocol.ts'

const TRACE_WORDS = 4
const SPAN_WORDS = 2

/** An open span, by its place in memory; 0 means no span. */
export type OpenSpan = number

/**
 * The open spans. Each is an unfinished record in memory that was allocated at the start, so a request makes no object,
 * and a finished record is copied as it is.
 *
 *     open ─▶ describe … ─▶ end ─▶ copied to the batch
 *                           └────▶ free once nobody holds it: the answer and the route may end in either order
 */
export class OpenSpans {
  readonly memory: Memory
  readonly #free: Int32Array
  #freeCount: number
  readonly #holders: Uint8Array
  readonly #carried = new Map<OpenSpan, readonly string[]>()
  /** A root span is sampled if its combined trace id is below this value. */
  readonly #sampledBelow: number
  readonly #isParentBased: boolean

  /** @param capacity the number of spans that may be open at once */
  constructor(capacity: number, { ratio, isParentBased }: Sampling) {
    this.memory = allocate((capacity + 1) * RECORD_BYTES)
    this.#free = Int32Array.from({ length: capacity }, (_, index) => (capacity - index) * RECORD_BYTES)
    this.#freeCount = capacity
    this.#holders = new Uint8Array(capacity + 1)
    this.#isParentBased = isParentBased
    this.#sampledBelow = ratio === 1 ? 2 ** 32 : Math.floor(ratio * 0xffffffff)
  }

  /** Opens a span that begins a trace, or continues the trace in `traceparent`. */
  openRoot(kind: RecordKind, traceparent: string | undefined): OpenSpan {
    const span = this.#open(kind)
    if (span === 0) return 0
    const { bytes, uint32 } = this.memory
    const trace = (span + field.traceId) >> 2
    const parent = (span + field.parentSpanId) >> 2
    if (isTraceparent(traceparent)) {
      bytes.write(traceparent.slice(3, 35), span + field.traceId, 'hex')
      bytes.write(traceparent.slice(36, 52), span + field.parentSpanId, 'hex')
      const parentFlags = Number.parseInt(traceparent.slice(53, 55), 16) & SAMPLED
      this.set(span, field.flags, this.#isParentBased ? parentFlags : this.#sample(trace))
    } else {
      for (let word = 0; word < TRACE_WORDS; word++) uint32[trace + word] = randomWord()
      for (let word = 0; word < SPAN_WORDS; word++) uint32[parent + word] = 0
      this.set(span, field.flags, this.#sample(trace))
    }
    return span
  }

  openChild(kind: RecordKind, parent: OpenSpan): OpenSpan {
    const span = this.#open(kind)
    if (span === 0) return 0
    const { uint16, uint32 } = this.memory
    const [own, others] = [span >> 2, parent >> 2]
    for (let word = field.traceId >> 2; word < field.spanId >> 2; word++)
      uint32[own + word] = uint32[others + word] as number
    for (let word = 0; word < SPAN_WORDS; word++)
      uint32[own + (field.parentSpanId >> 2) + word] = uint32[others + (field.spanId >> 2) + word] as number
    this.set(span, field.flags, (uint16[(parent + field.flags) >> 1] as number) & SAMPLED)
    return span
  }

  isSampled(span: OpenSpan): boolean {
    return ((this.memory.uint16[(span + field.flags) >> 1] as number) & SAMPLED) !== 0
  }

  /** Sets one of the 16-bit fields. */
  set(span: OpenSpan, offset: number, value: number): void {
    this.memory.uint16[(span + offset) >> 1] = value
  }

  setTimes(span: OpenSpan, waitMs: number, runMs: number): void {
    this.memory.float32[(span + field.waitMs) >> 2] = waitMs
    this.memory.float32[(span + field.runMs) >> 2] = runMs
  }

  fail(span: OpenSpan, errorType: number): void {
    this.set(span, field.flags, (this.memory.uint16[(span + field.flags) >> 1] as number) | FAILED)
    this.set(span, field.errorType, errorType)
  }

  /** Sets the duration. The record is then complete, and stays until the span is released. */
  end(span: OpenSpan): void {
    const { float64 } = this.memory
    float64[(span + field.durationMs) >> 3] =
      performance.now() - (float64[(span + field.startMs) >> 3] as number)
  }

  setDuration(span: OpenSpan, startMs: number, durationMs: number): void {
    this.memory.float64[(span + field.startMs) >> 3] = startMs
    this.memory.float64[(span + field.durationMs) >> 3] = durationMs
  }

  /** Adds a holder of the span. The span is free only when all holders have released it. */
  hold(span: OpenSpan): void {
    this.#holders[span / RECORD_BYTES] = (this.#holders[span / RECORD_BYTES] as number) + 1
  }

  release(span: OpenSpan): void {
    const holders = (this.#holders[span / RECORD_BYTES] as number) - 1
    this.#holders[span / RECORD_BYTES] = holders
    if (holders > 0) return
    this.#free[this.#freeCount++] = span
    if (this.#carried.size > 0) this.#carried.delete(span)
  }

  /** Keeps headers that upstream calls of this request pass on unchanged: names and values in turn. */
  carry(span: OpenSpan, headers: readonly string[]): void {
    this.#carried.set(span, headers)
  }

  carried(span: OpenSpan): readonly string[] | undefined {
    return this.#carried.get(span)
  }

  traceparent(span: OpenSpan): string {
    // The id of the span stands behind that of its trace.
    const ids = this.memory.bytes.toString('hex', span + field.traceId, span + field.spanId + 8)
    return `00-${ids.slice(0, 32)}-${ids.slice(32)}-0${this.isSampled(span) ? 1 : 0}`
  }

  #open(kind: RecordKind): OpenSpan {
    if (this.#freeCount === 0) return 0
    const span = this.#free[--this.#freeCount] as number
    const { uint32, float64 } = this.memory
    const first = span >> 2
    // The fields before the times are small and may stay unset, so they are cleared. The last two are set by tasks
    // only.
    for (let word = 0; word < field.startMs >> 2; word++) uint32[first + word] = 0
    for (let word = 0; word < SPAN_WORDS; word++) uint32[first + (field.spanId >> 2) + word] = randomWord()
    float64[(span + field.startMs) >> 3] = performance.now()
    this.set(span, field.kind, kind)
    this.#holders[span / RECORD_BYTES] = 1
    return span
  }

  /**
   * Samples like OpenTelemetry's TraceIdRatioBased: the words of the trace id are combined by xor, and read with the
   * most significant byte first.
   * @returns the flags of the span
   */
  #sample(trace: number): number {
    if (this.#sampledBelow === 2 ** 32) return SAMPLED
    const { uint32 } = this.memory
    let mixed = 0
    for (let word = 0; word < TRACE_WORDS; word++) mixed ^= uint32[trace + word] as number
    const swapped =
      ((mixed & 0xff) << 24) | ((mixed & 0xff00) << 8) | ((mixed >>> 8) & 0xff00) | (mixed >>> 24)
    return swapped >>> 0 < this.#sampledBelow ? SAMPLED : 0
  }
}

export type RecordKind = (typeof recordKinds)[keyof typeof recordKinds]

/** Random bytes are drawn from the system in blocks of 4 KiB, because one draw costs as much as hundreds of ids. */
const random = new Uint32Array(1024)
let used = random.length

function randomWord(): number {
  if (used === random.length) {
    randomFillSync(random)
    used = 0
  }
  return random[used++] as number
}

const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:$|-)/

/** Whether the header is a W3C trace context (level 1). Of a later version only the known part is read. */
export const isTraceparent = (header: string | undefined): header is string =>
  header !== undefined &&
  TRACEPARENT.test(header) &&
  (header.length === 55 || (!header.startsWith('00') && header.length > 55))
