/** With this many bytes, finished places are sent although further parts of the page can be rendered at once. */
const LONG = 128 * 1024

/**
 * The HTML in UTF-8 of the finished places of a page that were not sent. Each piece is encoded as it comes: a string of
 * React's is a tree of thousands of small strings, and trees that live until their page is complete outlive the young
 * generation, which costs garbage collection more than the page costs otherwise.
 */
export class UnsentHtml {
  #bytes: Buffer<ArrayBuffer> | undefined
  #end = 0

  /** @param followingBytes the expected size of the pieces that follow soon, for which space is kept */
  add(piece: string, followingBytes: number): void {
    const end = this.#end + Buffer.byteLength(piece)
    if (!this.#bytes || end > this.#bytes.length) this.#grow(end + followingBytes)
    this.#bytes?.write(piece, this.#end)
    this.#end = end
  }

  get isLong(): boolean {
    return this.#end >= LONG
  }

  /** Returns everything in memory of its own, which can be transferred; undefined if there is nothing. */
  take(): Uint8Array<ArrayBuffer> | undefined {
    const taken = this.#bytes?.subarray(0, this.#end)
    this.#bytes = undefined
    this.#end = 0
    return taken
  }

  #grow(sizeBytes: number): void {
    // A buffer that is not part of Node.js's pool can be transferred.
    const larger = Buffer.allocUnsafeSlow(sizeBytes)
    this.#bytes?.copy(larger)
    this.#bytes = larger
  }
}
