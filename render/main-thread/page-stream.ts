import { type HeldBytes, PageBody } from './page-body.ts'

/** The pieces of one page, which become ready in any order, and are sent in page order. */
export class PageStream extends PageBody {
  readonly #pieces: (Uint8Array | undefined)[]
  #next = 0

  constructor(pieces: number, held: HeldBytes) {
    super(held)
    this.#pieces = new Array(pieces)
  }

  /** Adds a static piece, which all pages share. */
  putStatic(place: number, piece: Uint8Array): void {
    if (this.destroyed) return
    this.#pieces[place] = piece
    for (; this.#pieces[this.#next]; this.#next++) this.push(this.#pieces[this.#next])
    if (this.#next === this.#pieces.length) this.push(null)
  }

  /** Adds a part. Its memory belongs to this page alone and becomes unusable once the part is sent. */
  putPart(place: number, part: Uint8Array): void {
    if (this.destroyed) return
    this.hold(part)
    this.putStatic(place, part)
  }
}
