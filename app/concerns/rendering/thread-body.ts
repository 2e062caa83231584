import { Readable } from 'node:stream'
import type { BodyStream } from '../../../lib/main-thread/send-stream.ts'
import type { OpenPage } from '../../../render/main-thread/renderer-types.ts'
import type { RequestContext } from '../../context.ts'

type Chunk = Uint8Array<ArrayBuffer>

/**
 * The body of a page from a render thread, which sends no more than a client reads.
 *
 * The memory of sent bytes is freed at once. If it were left to the garbage collector, a hundred kilobytes per page
 * outside its heap would make it mark the whole heap twice a second.
 */
export class ThreadBody extends Readable implements BodyStream {
  readonly #page: OpenPage
  #unreadBytes = 0
  isComplete = false

  constructor(page: OpenPage) {
    super()
    this.#page = page
  }

  add(chunk: Chunk, isLast: boolean): void {
    this.isComplete = isLast
    // After HEAD nobody reads the rest. The page goes on, because its calls say how upstream is.
    if (this.destroyed) return this.#page.consumed(chunk.length)
    this.#unreadBytes += chunk.length
    if (chunk.length > 0) this.push(chunk)
    if (isLast) this.push(null)
  }

  /** It is called when the bytes that were pushed before have been read. */
  override _read(): void {
    if (this.#unreadBytes > 0) this.#page.consumed(this.#unreadBytes)
    this.#unreadBytes = 0
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this._read()
    callback(error)
  }

  sent({ buffer }: Uint8Array): void {
    ;(buffer as ArrayBuffer).transfer(0)
  }
}

/** A page that came in one chunk. It is sent together with its head, and its memory is freed when it was sent. */
export function wholeBody(chunk: Chunk, context: RequestContext): Buffer {
  context.onEnd(() => {
    if (!context.gone) chunk.buffer.transfer(0)
  })
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
}
