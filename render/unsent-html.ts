/** With this many characters, finished places are sent although further parts of the page can be rendered at once. */
const LONG = 128 * 1024

/** The HTML of the finished places of a page that were not sent. */
export class UnsentHtml {
  readonly #pieces: string[] = []
  #length = 0

  add(piece: string): void {
    this.#pieces.push(piece)
    this.#length += piece.length
  }

  get isLong(): boolean {
    return this.#length >= LONG
  }

  /**
   * Encodes everything in one buffer; undefined if there is nothing. The pieces are not joined before: as one string, they
   * would be a large object, for which V8 collects garbage at once.
   */
  encode(): Buffer<ArrayBuffer> | undefined {
    if (this.#length === 0) return undefined
    const sizeBytes = this.#pieces.reduce((bytes, piece) => bytes + Buffer.byteLength(piece), 0)
    // A buffer that is not part of Node.js's pool can be transferred.
    const bytes = Buffer.allocUnsafeSlow(sizeBytes)
    let end = 0
    for (const piece of this.#pieces) end += bytes.write(piece, end)
    return bytes
  }
}
