import { countNewlines } from '../protocol.ts'

/** Holds the lines that wait to be written. Appending to a string is cheaper than appending to a buffer. */
export class PendingLines {
  #text = ''
  #count = 0

  /** The length in UTF-16 code units. It costs nothing to read, and limits memory well enough. */
  get length(): number {
    return this.#text.length
  }

  get count(): number {
    return this.#count
  }

  /** @param lines lines, each including its newline */
  add(lines: string, count: number): void {
    this.#text += lines
    this.#count += count
  }

  /** Removes and returns the next whole lines: at most `maxChars` characters, or one line if it is longer. */
  take(maxChars: number): { readonly bytes: Buffer<ArrayBuffer>; readonly count: number } {
    const fits = this.#text.length <= maxChars
    const end = fits ? this.#text.length : this.#text.lastIndexOf('\n', maxChars - 1) + 1
    const taken = end || this.#text.indexOf('\n') + 1
    const bytes = Buffer.from(this.#text.slice(0, taken))
    const count = fits ? this.#count : countNewlines(bytes)
    this.#text = this.#text.slice(taken)
    this.#count -= count
    return { bytes, count }
  }

  clear(): void {
    this.#text = ''
    this.#count = 0
  }
}
