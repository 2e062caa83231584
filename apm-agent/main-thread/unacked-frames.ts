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
 *                 └─────▶ unkept, when memory is needed
 *
 * apm-agent has a received frame in its own memory until it is exported. Such a frame need not be kept here, unless
 * apm-agent dies meanwhile: then it counts as dropped.
 */
export class UnackedFrames {
  readonly #memoryBytes: number
  readonly #free: Batch[] = []
  readonly #frames: SentFrame[] = []
  readonly #unkept: Omit<SentFrame, 'bytes' | 'batch'>[] = []
  readonly #lost = { spans: 0, points: 0 }
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
      this.#lost[key],
    )
  }

  /** An empty batch; undefined if there is no memory for it. */
  takeBatch(): Batch | undefined {
    while (this.#free.length === 0 && !this.#fits(BATCH_BYTES)) if (!this.#unkeep()) return undefined
    const free = this.#free.pop()
    if (free) return free
    this.#usedBytes += BATCH_BYTES
    return new Batch()
  }

  /** Reserves memory for the bytes of a frame. @returns whether there was enough */
  reserve(sizeBytes: number): boolean {
    while (!this.#fits(sizeBytes)) {
      if (this.#free.pop()) this.#usedBytes -= BATCH_BYTES
      else if (!this.#unkeep()) return false
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
    while (this.#unkept[0] && this.#unkept[0].sequence <= sequence) this.#unkept.shift()
    while (this.#frames[0] && this.#frames[0].sequence <= sequence) this.#release()
  }

  /** After the connection has ended, apm-agent may be another process that has received nothing. */
  disconnect(): void {
    this.#received = 0
    for (const { spans, points } of this.#unkept.splice(0)) {
      this.#lost.spans += spans
      this.#lost.points += points
    }
  }

  #fits(sizeBytes: number): boolean {
    return this.#usedBytes + sizeBytes <= this.#memoryBytes
  }

  /** Gives up the oldest frame if it was received. @returns whether it was */
  #unkeep(): boolean {
    if (!this.#frames[0] || this.#frames[0].sequence > this.#received) return false
    const { sequence, spans, points } = this.#release()
    this.#unkept.push({ sequence, spans, points })
    return true
  }

  /** Frees the memory of the oldest frame. */
  #release(): SentFrame {
    const frame = this.#frames.shift() as SentFrame
    if (frame.batch) this.recycle(frame.batch)
    else this.#usedBytes -= frame.bytes.length
    return frame
  }
}
