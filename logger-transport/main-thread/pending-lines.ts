import { countNewlines } from '../count-newlines.ts'

/** Lines that wait to be written. A string is cheaper to add to than a buffer. */
export class PendingLines {
  #text = ''
  #count = 0

  /** In UTF-16 code units: this is cheap to know, and bounds memory well enough. */
  get length(): number {
    return this.#text.length
  }

  get count(): number {
    return this.#count
  }

  /** @param line with its newline */
  add(line: string): void {
    this.#text += line
    this.#count++
  }

  /** Takes the next whole lines: at most `maxChars` characters, or one line if that is longer. */
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
