import { Readable } from 'node:stream'
import type { BodyStream } from '../framework/contract.ts'

/** Memory of finished parts that have not been sent, and the expected memory of parts that are being made, in bytes. */
export interface HeldBytes {
  bytes: number
}

/**
 * The pieces of one page, sent in page order as they become ready and as fast as the client reads them. Unread pieces
 * wait here and not in a thread, so a slow client holds at most the memory of its own page.
 *
 * The memory of a sent piece is freed at once. If it were left to the garbage collector, a hundred kilobytes per page
 * outside its heap would make it mark the whole heap twice a second; this costs a tenth of the main thread's work.
 */
export class PageStream extends Readable implements BodyStream {
  readonly #pieces: (Uint8Array | undefined)[]
  readonly #held: HeldBytes
  /** The buffers of the parts that this page holds. */
  readonly #parts = new Set<ArrayBufferLike>()
  #next = 0
  #isWanted = false

  constructor(pieces: number, held: HeldBytes) {
    super()
    this.#pieces = new Array(pieces)
    this.#held = held
  }

  /** Adds a static piece, which all pages share. */
  putStatic(place: number, piece: Uint8Array): void {
    this.#pieces[place] = piece
    if (this.#isWanted && place === this.#next) this.#send()
  }

  /** Adds a part. Its memory belongs to this page alone and becomes unusable once the part is sent. */
  putPart(place: number, part: Uint8Array): void {
    if (this.destroyed) return
    this.#parts.add(part.buffer)
    this.#held.bytes += part.buffer.byteLength
    this.putStatic(place, part)
  }

  override _read(): void {
    this.#isWanted = true
    this.#send()
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    for (const piece of this.#pieces) if (piece) this.#forget(piece.buffer)
    this.#pieces.length = 0
    callback(error)
  }

  sent({ buffer }: Uint8Array): void {
    if (this.#forget(buffer)) (buffer as ArrayBuffer).transfer(0)
  }

  release(): void {
    for (const buffer of this.#parts) this.#forget(buffer)
  }

  #send(): void {
    while (this.#isWanted && this.#next < this.#pieces.length) {
      const piece = this.#pieces[this.#next]
      if (!piece) return
      this.#pieces[this.#next++] = undefined
      this.#isWanted = this.push(piece)
    }
    if (this.#next === this.#pieces.length) this.push(null)
  }

  /** @returns whether the page held this buffer */
  #forget(buffer: ArrayBufferLike): boolean {
    const wasHeld = this.#parts.delete(buffer)
    if (wasHeld) this.#held.bytes -= buffer.byteLength
    return wasHeld
  }
}
