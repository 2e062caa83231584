import { Readable } from 'node:stream'
import type { BodyStream } from '../../lib/main-thread/send-stream.ts'

/** Memory of finished parts that have not been sent, and the expected memory of parts that are being made, in bytes. */
export interface HeldBytes {
  bytes: number
}

/**
 * The bytes of one page, sent as fast as the client reads them. Unread bytes wait here and not in a thread, so a slow
 * client holds at most the memory of its own page.
 *
 * The memory of sent bytes is freed at once. If it were left to the garbage collector, a hundred kilobytes per page
 * outside its heap would make it mark the whole heap twice a second.
 */
export class PageBody extends Readable implements BodyStream {
  readonly #held: HeldBytes
  /** The buffers that belong to this page alone. */
  readonly #own = new Set<ArrayBufferLike>()
  isComplete = false

  constructor(held: HeldBytes) {
    super()
    this.#held = held
  }

  /** Counts bytes that belong to this page alone. They become unusable once they are sent. */
  hold({ buffer }: Uint8Array): void {
    this.#own.add(buffer)
    this.#held.bytes += buffer.byteLength
  }

  override push(chunk: Uint8Array | string | null | undefined): boolean {
    this.isComplete = chunk === null
    return super.push(chunk)
  }

  /** Bytes are added by `push`, whether or not the client has read the bytes before them. */
  override _read(): void {}

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    // Bytes that have been read are still being sent.
    if (!this.readableEnded) this.release()
    callback(error)
  }

  sent({ buffer }: Uint8Array): void {
    if (this.#forget(buffer)) (buffer as ArrayBuffer).transfer(0)
  }

  release(): void {
    for (const buffer of this.#own) this.#forget(buffer)
  }

  /** @returns whether the page held this buffer */
  #forget(buffer: ArrayBufferLike): boolean {
    const wasHeld = this.#own.delete(buffer)
    if (wasHeld) this.#held.bytes -= buffer.byteLength
    return wasHeld
  }
}
