export interface BodyReader {
  /** Whether the body says where it ends. Otherwise it ends with its connection. */
  readonly isDelimited: boolean
  readonly isComplete: boolean
  /**
   * Hands over copies of the bytes of the body.
   * @returns the number of bytes that were read; those behind are no part of the body
   * @throws Error when the bytes are no body
   */
  read(bytes: Buffer, take: (chunk: Buffer) => void): number
}

/** A body whose length in bytes its head has told; infinite for one that ends with its connection. */
export class PlainBody implements BodyReader {
  readonly isDelimited: boolean
  #leftBytes: number

  constructor(lengthBytes: number) {
    this.#leftBytes = lengthBytes
    this.isDelimited = Number.isFinite(lengthBytes)
  }

  get isComplete(): boolean {
    return this.#leftBytes === 0
  }

  read(bytes: Buffer, take: (chunk: Buffer) => void): number {
    const own = bytes.subarray(0, Math.min(bytes.length, this.#leftBytes))
    if (own.length > 0) take(Buffer.from(own))
    this.#leftBytes -= own.length
    return own.length
  }
}

const LINE_FEED = 0x0a
const MAX_LINE = 4096

/** A body in chunks (RFC 9112, 7.1), each behind a line with its size. Trailers are skipped. */
export class ChunkedBody implements BodyReader {
  readonly isDelimited = true
  isComplete = false
  #line = ''
  /** The line that comes next, once the bytes of the present chunk have come. */
  #next: 'size' | 'end of chunk' | 'trailer' = 'size'
  #chunk = new PlainBody(0)

  read(bytes: Buffer, take: (chunk: Buffer) => void): number {
    let at = 0
    while (at < bytes.length && !this.isComplete) {
      if (this.#chunk.isComplete) at = this.#readLine(bytes, at)
      else at += this.#chunk.read(bytes.subarray(at), take)
    }
    return at
  }

  /** @returns the end of what was read */
  #readLine(bytes: Buffer, from: number): number {
    const lineFeed = bytes.indexOf(LINE_FEED, from)
    const end = lineFeed < 0 ? bytes.length : lineFeed + 1
    this.#line += bytes.toString('latin1', from, end)
    if (this.#line.length > MAX_LINE) throw new Error('a line between the chunks of the answer is too long')
    if (lineFeed >= 0) this.#takeLine(this.#line.trimEnd())
    return end
  }

  #takeLine(line: string): void {
    this.#line = ''
    if (this.#next === 'trailer') this.isComplete = line === ''
    else if (this.#next === 'end of chunk' && line === '') this.#next = 'size'
    else if (this.#next === 'size' && /^[\da-f]{1,8}\s*(;|$)/i.test(line))
      this.#begin(Number.parseInt(line, 16))
    else throw new Error('the chunks of the answer are malformed')
  }

  #begin(sizeBytes: number): void {
    this.#next = sizeBytes > 0 ? 'end of chunk' : 'trailer'
    this.#chunk = new PlainBody(sizeBytes)
  }
}
