import { Readable } from 'node:stream'
import type { BodyStream } from '../../lib/main-thread/send-stream.ts'

/**
 * The pieces of one page, which become ready in any order, and are sent in page order as fast as the client reads them. Unread
 * pieces wait here and not in a thread, so a slow client holds at most the memory of its own page.
 */
export class ComposedBody extends Readable implements BodyStream {
  readonly #pieces: (Uint8Array | undefined)[]
  #next = 0
  isComplete = false

  constructor(pieces: number) {
    super()
    this.#pieces = new Array(pieces)
  }

  /** Adds a piece at its place. */
  put(place: number, piece: Uint8Array): void {
    if (this.destroyed) return
    this.#pieces[place] = piece
    for (; this.#pieces[this.#next]; this.#next++) this.push(this.#pieces[this.#next])
    if (this.#next < this.#pieces.length) return
    this.isComplete = true
    this.push(null)
  }

  /** Pieces are added by `push`, whether or not the client has read those before them. */
  override _read(): void {}
}
