import { BATCH_BYTES, Batch } from './batch.ts'

type Counted = 'spans' | 'points'

/** A frame that apm-agent has not acknowledged. */
export interface SentFrame extends Readonly<Record<Counted, number>> {
  readonly sequence: number
  readonly bytes: Uint8Array
  /** The batch that owns the bytes; absent if the frame owns them. */
  readonly batch?: Batch
}

/**
 * The frames that apm-agent has not acknowledged, oldest first, and the memory that they and the batches may use.
 *
 *     sent ─▶ received ─▶ acknowledged
 */
export class UnackedFrames {
  readonly #memoryBytes: number
  readonly #free: Batch[] = []
  readonly #frames: SentFrame[] = []
  #usedBytes = 0
  /** The last frame that was received over the present connection. */
  #received = 0

  constructor(memoryBytes: number) {
    this.#memoryBytes = memoryBytes
  }

  /** Number of frames that are kept. */
  get size(): number {
    return this.#frames.length
  }

  [Symbol.iterator](): Iterator<SentFrame> {
    return this.#frames.values()
  }

  /** Number of spans or points that are lost if apm-agent gets nothing more. */
  countDropped(key: Counted): number {
    return this.#frames.reduce(
      (total, frame) => (frame.sequence > this.#received ? total + frame[key] : total),
      0,
    )
  }

  /** An empty batch; undefined if there is no memory for it. */
  takeBatch(): Batch | undefined {
    const free = this.#free.pop()
    if (free) return free
    if (!this.#fits(BATCH_BYTES)) return undefined
    this.#usedBytes += BATCH_BYTES
    return new Batch()
  }

  /** Reserves memory for the bytes of a frame. @returns whether there was enough */
  reserve(sizeBytes: number): boolean {
    while (!this.#fits(sizeBytes)) {
      if (!this.#free.pop()) return false
      this.#usedBytes -= BATCH_BYTES
    }
    this.#usedBytes += sizeBytes
    return true
  }

  /** Keeps a frame. Its memory is that of its batch, or was reserved. */
  add(frame: SentFrame): void {
    this.#frames.push(frame)
  }

  recycle(batch: Batch): void {
    batch.clear()
    this.#free.push(batch)
  }

  markReceived(sequence: number): void {
    this.#received = Math.max(this.#received, sequence)
  }

  acknowledge(sequence: number): void {
    this.markReceived(sequence)
    while (this.#frames[0] && this.#frames[0].sequence <= sequence) this.#release()
  }

  /** After the connection has ended, apm-agent may be another process that has received nothing. */
  disconnect(): void {
    this.#received = 0
  }

  #fits(sizeBytes: number): boolean {
    return this.#usedBytes + sizeBytes <= this.#memoryBytes
  }

  /** Frees the memory of the oldest frame. */
  #release(): void {
    const frame = this.#frames.shift() as SentFrame
    if (frame.batch) this.recycle(frame.batch)
    else this.#usedBytes -= frame.bytes.length
  }
}
