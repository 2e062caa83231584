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

/** What does not depend on how much room there is. */
export const segmentLimits = { batchChars: 64 * 1024, flushMs: 100, segmentBytes: 4 * 2 ** 20 } as const

/** Whom the writer tells how it fares. */
export interface Listener {
  /** Why lines cannot be written, at every attempt; undefined when they can again. */
  onTrouble(reason: string | undefined): void
  /** The directory is gone, and lines go on in this one. */
  onMoved(directory: string): void
}
