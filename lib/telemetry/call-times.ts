export interface CallTimes {
  /** The start by the monotonic clock, in milliseconds. */
  readonly startedAtMs: number
  readonly durationMs: number
  /** Whether the request was sent, over a connection. */
  readonly wasSent: boolean
  /** The HTTP status; 0 without an answer. */
  readonly status: number
  /** `error.type` of a call that failed. */
  readonly errorType: string | undefined
}

/** Headers by name, such as the trace context. */
export type CallHeaders = Readonly<Record<string, string>>

/** The times as a list of plain values, which costs a message little. */
export const packTimes = ({ startedAtMs, durationMs, wasSent, status, errorType }: CallTimes) =>
  [startedAtMs, durationMs, wasSent, status, errorType] as const

/** @param at the place of the packed times in a longer list */
export const unpackTimes = (packed: readonly unknown[], at: number): CallTimes =>
  // By index, because V8 takes lists apart by an iterator until it has optimized this function.
  ({
    startedAtMs: packed[at],
    durationMs: packed[at + 1],
    wasSent: packed[at + 2],
    status: packed[at + 3],
    errorType: packed[at + 4],
  }) as CallTimes

/** The part of telemetry that records calls. Only it knows the type of its spans. */
export interface CallRecorder {
  startCall(url: string, parent: unknown): unknown
  callHeaders(call: unknown, parent: unknown): CallHeaders
  endCall(call: unknown, times: CallTimes): void
  drop(call: unknown): void
}

/** The value of `error.type` for an error of which nothing is known. */
const OTHER = '_OTHER'

/**
 * The value of `error.type` in the semantic conventions of OpenTelemetry: a class of errors, never their message. It never
 * throws, whatever was thrown.
 */
export function errorTypeOf(thrown: unknown): string {
  try {
    const { code, name } = Object(thrown)
    return [code, name].filter(isType).map(String)[0] ?? OTHER
  } catch {
    return OTHER
  }
}

const isType = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && value !== '')
