import { countNewlines } from '../protocol.ts'

const NOTHING = Buffer.alloc(0)
const NEWLINE = 10

/** The lines that are being written. There is one batch at a time, which is filled again once it is empty. */
export class Batch {
  bytes = NOTHING
  /** Number of its lines. */
  count = 0
  /** Number of its bytes that were written so far. */
  written = 0

  get isEmpty(): boolean {
    return this.bytes.length === 0
  }

  fill(bytes: Buffer<ArrayBuffer>, count: number): void {
    this.bytes = bytes
    this.count = count
  }

  clear(): void {
    this.bytes = NOTHING
    this.count = 0
    this.written = 0
  }

  /** Whether the beginning of a line was written, and not its end. */
  get isTorn(): boolean {
    return this.written > 0 && this.bytes[this.written - 1] !== NEWLINE
  }

  /** Goes back to the end of the last whole line that was written. @returns the number of bytes to take back */
  backToLine(): number {
    const end = this.written === 0 ? 0 : this.bytes.lastIndexOf(NEWLINE, this.written - 1) + 1
    const half = this.written - end
    this.written = end
    return half
  }

  /** Number of its lines that were not written to their end. */
  countUnwritten(): number {
    return countNewlines(this.bytes.subarray(this.written))
  }
}
