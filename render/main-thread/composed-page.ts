import { Readable } from 'node:stream'
import type { BodyStream } from '../../lib/main-thread/send-stream.ts'

/** A part of a page that is made while the page is sent. */
export interface ComposedPart {
  /** Makes the HTML of the part. @param isWanted whether it is still in time */
  make(isWanted: () => boolean): Promise<Uint8Array>
  /** Shown in place of the part. Without a fallback the part is required: if it fails, there is no page. */
  readonly fallback: Uint8Array | undefined
  /** The error of the part if it is not ready in time. */
  late(): Error
  /** Called when the page shows the fallback. */
  onFallback(error: Error): void
}

interface ComposeOptions {
  /** The time limit of every part, in milliseconds. */
  readonly partTimeoutMs: number
  /** Whether nobody wants the page any more. */
  isGone(): boolean
}

/**
 * Composes a page of static pieces and parts. A part that fails or is late is replaced by its fallback.
 * @returns the bytes in page order, once no required part can fail any more and so the status is known
 * @throws the error of a required part
 */
export async function composeParts(
  pieces: readonly (Uint8Array | ComposedPart)[],
  { partTimeoutMs, isGone }: ComposeOptions,
): Promise<ComposedBody> {
  const body = new ComposedBody(pieces.length)
  const { promise: late, resolve: expire } = Promise.withResolvers<'late'>()
  const timer = Number.isFinite(partTimeoutMs) ? setTimeout(expire, partTimeoutMs, 'late') : undefined

  async function make(part: ComposedPart): Promise<Uint8Array> {
    let isOpen = true
    try {
      const html = await Promise.race([part.make(() => isOpen && !body.destroyed), late])
      if (html === 'late') throw part.late()
      return html
    } catch (error) {
      if (!part.fallback) throw error
      if (!body.destroyed && !isGone()) part.onFallback(error as Error)
      return part.fallback
    } finally {
      isOpen = false
    }
  }

  const made = pieces.map(async (piece, place) =>
    body.put(place, piece instanceof Uint8Array ? piece : await make(piece)),
  )
  void Promise.allSettled(made).then(() => clearTimeout(timer))
  try {
    await Promise.all(made.filter((_, place) => isRequired(pieces[place])))
    return body
  } catch (error) {
    // Nobody wants the other parts any more.
    body.destroy()
    clearTimeout(timer)
    throw error
  }
}

const isRequired = (piece: Uint8Array | ComposedPart | undefined): boolean =>
  piece !== undefined && !(piece instanceof Uint8Array) && piece.fallback === undefined

/**
 * The pieces of one page, which become ready in any order, and are sent in page order as fast as the client reads them. Unread
 * pieces wait here and not in a thread, so a slow client holds at most the memory of its own page.
 */
export class ComposedBody extends Readable implements BodyStream {
  readonly #pieces: (Uint8Array | undefined)[]
  #next = 0
  isComplete = false

  constructor(pieces: number) {
    super()
    this.#pieces = new Array(pieces)
  }

  /** Adds a piece at its place. */
  put(place: number, piece: Uint8Array): void {
    if (this.destroyed) return
    this.#pieces[place] = piece
    for (; this.#pieces[this.#next]; this.#next++) this.push(this.#pieces[this.#next])
    if (this.#next < this.#pieces.length) return
    this.isComplete = true
    this.push(null)
  }

  /** Pieces are added by `push`, whether or not the client has read those before them. */
  override _read(): void {}
}
