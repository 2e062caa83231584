import { beats } from '../../lib/main-thread/beats.ts'

/** What the bounds of a writer may be, in MiB. */
export const memoryMibBounds = { min: 1, max: 4096 } as const
export const diskMibBounds = { min: 8, max: 1_000_000 } as const

export interface SegmentLimits {
  /** A batch is written when it has this many characters, or when {@link flushSoon} calls back. */
  readonly batchChars: number
  /** Calls back after the time that lines may wait for others. */
  readonly flushSoon: (flush: () => void) => void
  /** Lines that cannot be written wait in memory, up to this many characters; further lines are dropped. */
  readonly memoryChars: number
  readonly segmentBytes: number
  /** Bound of all segments of this writer that are not yet delivered. */
  readonly diskBytes: number
}

const MAX_SEGMENT_BYTES = 4 * 2 ** 20
/** A segment is deleted as a whole, so a few large segments, partly delivered, would take much of the disk bound. */
const MIN_SEGMENTS = 16

/** Derives the limits of a writer from its bounds in memory and on disk. */
export const segmentLimits = (memoryChars: number, diskBytes: number): SegmentLimits => ({
  batchChars: 256 * 1024,
  flushSoon: flush => beats.call(flush),
  memoryChars,
  segmentBytes: Math.min(MAX_SEGMENT_BYTES, diskBytes / MIN_SEGMENTS),
  diskBytes,
})

/** Receives the writer's reports about its state. */
export interface Listener {
  /** Called after each attempt to write, with the reason why it failed, or undefined if it succeeded. */
  onTrouble(reason: string | undefined): void
  /** Called when the writer's directory had disappeared and the writer continues in this one. */
  onMoved(directory: string): void
}
