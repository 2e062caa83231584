const encoder = new TextEncoder()

/** A first guess of the size of a chunk, in bytes. It follows the chunks of the thread. */
let typicalBytes = 16 * 1024

/**
 * The destination into which React writes a page: the part of a `Writable` that React uses. It takes a shell or a boundary
 * whole, so that chunks are never cut inside of a tag, and then holds React back until the client has taken enough.
 */
export class PageOutput {
  /** Says that the page has something to send. */
  readonly tell: () => void
  /** Bytes that may be sent before credits come. It is negative after a long boundary. */
  #credit: number
  #bytes = new Uint8Array(0)
  #length = 0
  #resume: (() => void) | undefined
  isEnded = false

  constructor(windowBytes: number, tell: () => void) {
    this.#credit = windowBytes
    this.tell = tell
  }

  get length(): number {
    return this.#length
  }

  write(chunk: string | Uint8Array): boolean {
    const before = this.#length
    if (typeof chunk === 'string') this.#encode(chunk)
    else {
      this.#reserve(chunk.length)
      this.#bytes.set(chunk, this.#length)
      this.#length += chunk.length
    }
    this.#credit -= this.#length - before
    return this.#credit > 0
  }

  /** React calls it when it has written all that is ready. */
  flush(): void {
    if (this.#length > 0) this.tell()
  }

  end(): void {
    this.isEnded = true
    this.tell()
  }

  /** React calls it for a fatal error, which the page has been told. */
  destroy(): void {
    this.end()
  }

  on(event: string, listener: () => void): void {
    // React is told to abort by its own function, and not by the events of an error.
    if (event === 'drain') this.#resume = listener
  }

  /** Notes that the client took bytes. */
  addCredit(bytes: number): void {
    const wasFull = this.#credit <= 0
    this.#credit += bytes
    if (wasFull && this.#credit > 0) this.#resume?.()
  }

  /** Takes the bytes that were written, in memory of their own. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.#bytes.subarray(0, this.#length)
    typicalBytes = Math.max(this.#length, Math.round(typicalBytes * 0.9))
    this.#bytes = new Uint8Array(0)
    this.#length = 0
    return taken
  }

  #encode(text: string): void {
    for (let rest = text; rest.length > 0; ) {
      this.#reserve(rest.length)
      const { read, written } = encoder.encodeInto(rest, this.#bytes.subarray(this.#length))
      this.#length += written
      rest = rest.slice(read)
      if (rest.length > 0) this.#reserve(3 * rest.length)
    }
  }

  #reserve(more: number): void {
    const needed = this.#length + more
    if (needed <= this.#bytes.length) return
    const longer = new Uint8Array(Math.max(needed, typicalBytes, 2 * this.#bytes.length))
    longer.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = longer
  }
}
