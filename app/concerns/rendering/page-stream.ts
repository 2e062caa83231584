import { Readable } from 'node:stream'
import type { BodyStream } from '../framework/contract.ts'

/** Bytes of parts that have not left for their clients; of those that are being made, about what they will take. */
export interface HeldBytes {
  bytes: number
}

/**
 * The pieces of one page, sent in page order as they come and as fast as the client takes them. What it does not take
 * waits here, and not in a thread: its own page is the most that a slow client holds.
 *
 * What was sent is freed at once. Left to the garbage collector, a hundred kilobytes a page outside of its heap make it
 * mark the whole heap twice a second; that costs a tenth of the main thread's work.
 */
export class PageStream extends Readable implements BodyStream {
  readonly #pieces: (Uint8Array | undefined)[]
  readonly #held: HeldBytes
  /** The memory of parts that are held. */
  readonly #parts = new Set<ArrayBufferLike>()
  #next = 0
  #isWanted = false

  constructor(pieces: number, held: HeldBytes) {
    super()
    this.#pieces = new Array(pieces)
    this.#held = held
  }

  /** A static piece, which all pages share. */
  putStatic(place: number, piece: Uint8Array): void {
    this.#pieces[place] = piece
    if (this.#isWanted && place === this.#next) this.#send()
  }

  /** A part, whose memory is this page's alone and becomes unusable once it is sent. */
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

  /** @returns whether it was held */
  #forget(buffer: ArrayBufferLike): boolean {
    const wasHeld = this.#parts.delete(buffer)
    if (wasHeld) this.#held.bytes -= buffer.byteLength
    return wasHeld
  }
}
