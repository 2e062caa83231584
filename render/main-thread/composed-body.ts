import { Readable } from 'node:stream'
import type { BodyStream } from '../../lib/main-thread/send-stream.ts'

/**
 * The pieces of one page, which become ready in any order, and are sent in page order as fast as the client reads them. Unread
 * pieces wait here and not in a thread, so a slow client holds at most the memory of its own page.
 *
 * The memory of parts that were sent is freed at once, for the reason given in `PageBody`.
 */
export class ComposedBody extends Readable implements BodyStream {
  readonly #pieces: (Uint8Array | undefined)[]
  /** The buffers that belong to this page alone. */
  readonly #own = new Set<ArrayBufferLike>()
  #next = 0
  isComplete = false

  constructor(pieces: number) {
    super()
    this.#pieces = new Array(pieces)
  }

  /** Adds a static piece, which all pages share. */
  putStatic(place: number, piece: Uint8Array): void {
    if (this.destroyed) return
    this.#pieces[place] = piece
    for (; this.#pieces[this.#next]; this.#next++) this.push(this.#pieces[this.#next])
    if (this.#next < this.#pieces.length) return
    this.isComplete = true
    this.push(null)
  }

  /** Adds a part. Its memory belongs to this page alone and becomes unusable once the part is sent. */
  putPart(place: number, part: Uint8Array): void {
    if (this.destroyed) return
    this.#own.add(part.buffer)
    this.putStatic(place, part)
  }

  /** Pieces are added by `push`, whether or not the client has read those before them. */
  override _read(): void {}

  sent({ buffer }: Uint8Array): void {
    if (this.#own.delete(buffer)) (buffer as ArrayBuffer).transfer(0)
  }
}
