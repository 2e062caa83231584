/**
 * What an app and apm-agent say to each other over a Unix socket.
 *
 *     app ── hello, then strings, records and points as they come ──▶ apm-agent
 *         ◀── an ack for every frame of records or points, or refused ──
 *
 * A frame is a header of four 32-bit words and a payload. Payloads are multiples of 8 bytes (JSON is padded with
 * spaces), so that records are aligned wherever they lie. Numbers have the byte order of the machine: both ends are
 * on one.
 *
 *     word 0   signature: "DMT" and the version        word 2   bytes of the payload
 *     word 1   kind                                    word 3   sequence, from 1; 0 for what needs no ack
 *
 * Frames of records and points are numbered. The app keeps them until they are acked and sends them again over the next
 * connection; apm-agent takes none twice.
 */

/** Raised whenever the layout changes: the other side refuses what it does not know. */
export const VERSION = 3
const MAGIC = 0x54_4d_44_00

export const signature = MAGIC | VERSION
/** The version that the first word of a frame names; undefined when it is none of ours. */
export const versionOf = (word: number): number | undefined =>
  (word & 0xffffff00) === MAGIC ? word & 0xff : undefined

export const HEADER_BYTES = 16
export const MAX_PAYLOAD_BYTES = 128 * 1024

export const frameKinds = {
  /** JSON: {@link Hello}. The first frame of a connection, and only the first. */
  hello: 1,
  /** JSON: {@link StringsPayload}. Before the first record that refers to them. */
  strings: 2,
  /** Records, one after the other. */
  records: 3,
  /** JSON: {@link MetricPoint}[]. */
  points: 4,
  /** Nothing: the frame with this sequence, and all before it, have arrived. */
  ack: 5,
  /** Text: why the connection is closed. */
  refused: 6,
  /** JSON: a `Pulse`. A connection that begins with one has nothing else, and gets no acks. */
  pulse: 7,
} as const

export interface Hello {
  /** Attributes by the semantic conventions, `service.instance.id` among them. */
  readonly resource: Readonly<Record<string, string | number>>
  /** Milliseconds since the epoch of the clock that `startMs` counts from. */
  readonly timeOriginMs: number
}

/** Strings of low cardinality travel once; a record has their ids. Id 0 is no string. */
export interface StringsPayload {
  readonly firstId: number
  readonly strings: readonly string[]
}

export const MAX_STRINGS = 4096
export const MAX_STRING_LENGTH = 256

/** One reading of a metric of the table in `metrics.ts`. */
export interface MetricPoint {
  readonly signal: string
  readonly value: number
  readonly attributes?: Readonly<Record<string, string>>
}

/** What a record is of: a span by its kind, or one garbage collection. */
export const recordKinds = { server: 1, client: 2, task: 3, gc: 4, part: 5 } as const

/** Bits of `flags`. A span that is not sampled counts in the metrics all the same. */
export const SAMPLED = 1
/** It ended with an error that has no status code. */
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

/** Where a record has what: byte offsets, by the type of the number. */
export const field = {
  /** uint16 */
  kind: 0,
  flags: 2,
  /** HTTP status; 0 without an answer. */
  status: 4,
  /** String: route, task, page part, or kind of garbage collection. */
  name: 6,
  /** String: `host:port` of the server, or the origin that is called. */
  authority: 8,
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
  /** 8 bytes; a parent of zeros is none. */
  spanId: 48,
  parentSpanId: 56,
  /** float32: of a task or part. */
  waitMs: 64,
  runMs: 68,
} as const
export const RECORD_BYTES = 72

/** Memory, seen as each of the types that a record is made of. */
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
