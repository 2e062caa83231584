/**
 * The protocol between an app and apm-agent over a Unix socket.
 *
 *     app ── hello, then strings, records and points as they come ──▶ apm-agent
 *         ◀── received at once, ack once it is exported; or refused ──
 *
 * A frame is a header of four 32-bit words and a payload. Payloads are multiples of 8 bytes (JSON is padded with
 * spaces), so that records are aligned in any buffer. Numbers have the byte order of the machine, because both ends are
 * on the same machine.
 *
 *     word 0   signature: "DMT" and the version        word 2   bytes of the payload
 *     word 1   kind                                    word 3   sequence, from 1; 0 if no ack is needed
 *
 * Frames of records and points are numbered. The app keeps them until they are acknowledged and sends them again over
 * the next connection; apm-agent accepts none of them twice. A frame is acknowledged when its spans were exported or
 * counted as dropped; without a collector, when they were counted. So a killed apm-agent loses no span, but the next one
 * may export some of them again, with the same span ids.
 */

/** Increased whenever the layout changes: each side refuses an unknown version. */
export const VERSION = 5
const MAGIC = 0x54_4d_44_00

export const signature = MAGIC | VERSION
/** The version in the first word of a frame; undefined if the word is not a signature of this protocol. */
export const versionOf = (word: number): number | undefined =>
  (word & 0xffffff00) === MAGIC ? word & 0xff : undefined

export const HEADER_BYTES = 16
export const MAX_PAYLOAD_BYTES = 128 * 1024

export const frameKinds = {
  /** JSON of type {@link Sender}. It is the first frame of a connection, and appears only there. */
  hello: 1,
  /** JSON of type {@link StringsPayload}. It comes before the first record that refers to these strings. */
  strings: 2,
  /** Records, one after the other. */
  records: 3,
  /** JSON of type `MetricPoint[]`. */
  points: 4,
  /**
   * Without payload. It acknowledges the frame with this sequence and all frames before it: nothing more can be lost of
   * them.
   */
  ack: 5,
  /** Text with the reason why the connection is closed. */
  refused: 6,
  /** JSON of type `Pulse`. A connection that begins with a pulse has only pulses, and gets no acknowledgements. */
  pulse: 7,
  /** Without payload. The frame with this sequence and all frames before it were counted; their spans wait for export. */
  received: 8,
} as const

/** The process that sends the records. */
export interface Sender {
  /** Attributes by the semantic conventions, among them `service.instance.id`. */
  readonly resource: Readonly<Record<string, string | number>>
  /** The zero of the clock of `startMs`, in milliseconds since the epoch: the time at which the process began. */
  readonly timeOriginMs: number
}

/** Strings of low cardinality are sent once, and records contain their ids. The id 0 means no string. */
export interface StringsPayload {
  readonly firstId: number
  readonly strings: readonly string[]
}

/** The last time that the 64-bit nanoseconds of OTLP can hold, in milliseconds since the epoch. */
export const LAST_MS = 1.8e13

export const MAX_STRINGS = 4096
export const MAX_STRING_LENGTH = 256

/** The kinds of records: the kinds of spans, and a garbage collection. `own` is a span of the service's own code. */
export const recordKinds = { server: 1, client: 2, task: 3, gc: 4, render: 5, own: 6 } as const

/** A bit of `flags`. Spans that are not sampled are still counted in the metrics. */
export const SAMPLED = 1
/** A bit of `flags`: the span ended with an error that has no status code. */
export const FAILED = 2

/** Methods by the semantic conventions; all others are `_OTHER`. */
export const methods = [
  '_OTHER',
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'CONNECT',
  'OPTIONS',
  'TRACE',
  'PATCH',
  'QUERY',
]
export const protocolVersions = [undefined, '1.0', '1.1', '2', '3']

const methodIds = new Map(methods.map((method, id) => [method, id]))
const versionIds = new Map(protocolVersions.map((version, id) => [version, id]))

export const methodId = (method: string | undefined): number => methodIds.get(method ?? '') ?? 0
export const versionId = (version: string): number => versionIds.get(version) ?? 0
export const HTTP_1_1 = versionId('1.1')

/** Byte offsets of the fields of a record, by the type of the number. */
export const field = {
  /** uint16 */
  kind: 0,
  flags: 2,
  /** HTTP status; 0 without an answer. */
  status: 4,
  /** String: route, task, page, span of own code, or kind of garbage collection. */
  name: 6,
  /** String: `host:port` of the server, or the origin of a call. */
  authority: 8,
  /** String, in the place of `authority`: the attributes of a span of own code, as JSON. */
  attributes: 8,
  /** Index in {@link methods}. */
  method: 10,
  /** String: `error.type`. */
  errorType: 12,
  /** Index in {@link protocolVersions}. */
  protocolVersion: 14,
  /** float64 */
  startMs: 16,
  durationMs: 24,
  /** 16 bytes */
  traceId: 32,
  /** 8 bytes; zeros mean no parent. */
  spanId: 48,
  parentSpanId: 56,
  /** float32, only for a task or page. */
  waitMs: 64,
  runMs: 68,
} as const
export const RECORD_BYTES = 72

/** Memory with a view for each number type of a record. */
export interface Memory {
  readonly bytes: Buffer
  readonly uint16: Uint16Array
  readonly uint32: Uint32Array
  readonly float32: Float32Array
  readonly float64: Float64Array
}

/** @param sizeBytes a multiple of 8 */
export function allocate(sizeBytes: number): Memory {
  const buffer = new ArrayBuffer(sizeBytes)
  return {
    bytes: Buffer.from(buffer),
    uint16: new Uint16Array(buffer),
    uint32: new Uint32Array(buffer),
    float32: new Float32Array(buffer),
    float64: new Float64Array(buffer),
  }
}
