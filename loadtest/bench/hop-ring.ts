/** Bytes of the two counters of a ring: `written` and `read`, each the number of bytes since the start. */
const COUNTERS = 2
const WRITTEN = 0
const READ = 1
/** A record begins with its id and its length, as 32-bit numbers, and ends at a multiple of four bytes. */
const HEAD_BYTES = 8

/** The shared memory of a ring. */
export interface RingMemory {
  readonly counters: Int32Array<SharedArrayBuffer>
  readonly bytes: Uint8Array<SharedArrayBuffer>
}

/** @param sizeBytes a power of two */
export const createRingMemory = (sizeBytes: number): RingMemory => ({
  counters: new Int32Array(new SharedArrayBuffer(COUNTERS * Int32Array.BYTES_PER_ELEMENT)),
  bytes: new Uint8Array(new SharedArrayBuffer(sizeBytes)),
})

/**
 * A queue of bytes in shared memory, from one thread to one other. A record is never split: the rest at the end of the
 * memory is skipped if the next record does not fit there.
 */
export class Ring {
  readonly counters: RingMemory['counters']
  readonly #bytes: Buffer
  readonly #words: Int32Array

  constructor({ counters, bytes }: RingMemory) {
    this.counters = counters
    this.#bytes = Buffer.from(bytes.buffer)
    this.#words = new Int32Array(bytes.buffer)
  }

  /** Number of bytes written since the start, modulo 2^32. */
  get written(): number {
    return Atomics.load(this.counters, WRITTEN)
  }

  get isEmpty(): boolean {
    return this.written === Atomics.load(this.counters, READ)
  }

  /** @returns false when the ring is full */
  write(id: number, length: number, fill: (bytes: Buffer, at: number) => void): boolean {
    const size = this.#bytes.length
    const needed = HEAD_BYTES + ((length + 3) & ~3)
    let { written } = this
    let at = written & (size - 1)
    const skipped = at + needed > size ? size - at : 0
    // The counters wrap at 32 bits, and so does their difference.
    const used = (written - Atomics.load(this.counters, READ)) | 0
    if (used + skipped + needed > size) return false
    if (skipped > 0) {
      this.#words[at >> 2] = -1
      written += skipped
      at = 0
    }
    this.#words[at >> 2] = id
    this.#words[(at >> 2) + 1] = length
    fill(this.#bytes, at + HEAD_BYTES)
    Atomics.store(this.counters, WRITTEN, (written + needed) | 0)
    return true
  }

  /** Takes all records that are there. `take` must copy the bytes. */
  readAll(take: (id: number, bytes: Buffer) => void): void {
    let read = Atomics.load(this.counters, READ)
    while (read !== this.written) {
      let at = read & (this.#bytes.length - 1)
      if (this.#words[at >> 2] === -1) {
        read = (read + this.#bytes.length - at) | 0
        at = 0
      }
      const length = this.#words[(at >> 2) + 1] as number
      take(this.#words[at >> 2] as number, this.#bytes.subarray(at + HEAD_BYTES, at + HEAD_BYTES + length))
      read = (read + HEAD_BYTES + ((length + 3) & ~3)) | 0
      Atomics.store(this.counters, READ, read)
    }
  }
}

export const notify = ({ counters }: Ring): number => Atomics.notify(counters, WRITTEN)

/** Calls `onWritten` whenever the ring has records, and whenever more come. */
export async function follow(ring: Ring, onWritten: () => void): Promise<never> {
  for (;;) {
    const { written } = ring
    if (!ring.isEmpty) onWritten()
    const { async, value } = Atomics.waitAsync(ring.counters, WRITTEN, written)
    if (async) await value
  }
}
