export interface SegmentLimits {
  /** A batch is written when it has as many characters, or after `flushMs`. */
  readonly batchChars: number
  readonly flushMs: number
  /** Lines that cannot be written wait in memory up to this; past it they are dropped. */
  readonly memoryChars: number
  readonly segmentBytes: number
  /** All segments of this writer that were not yet delivered. */
  readonly diskBytes: number
}

const MAX_SEGMENT_BYTES = 4 * 2 ** 20
/** Segments are deleted as a whole, so a few large ones that are partly delivered would take much of the room. */
const MIN_SEGMENTS = 16

/** The limits of a writer with this much room in memory and on disk. */
export const segmentLimits = (memoryChars: number, diskBytes: number): SegmentLimits => ({
  batchChars: 64 * 1024,
  flushMs: 100,
  memoryChars,
  segmentBytes: Math.min(MAX_SEGMENT_BYTES, diskBytes / MIN_SEGMENTS),
  diskBytes,
})

/** Whom the writer tells how it fares. */
export interface Listener {
  /** Why lines cannot be written, at every attempt; undefined when they can again. */
  onTrouble(reason: string | undefined): void
  /** The directory is gone, and lines go on in this one. */
  onMoved(directory: string): void
}
