import { ComposedBody } from './composed-body.ts'

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
 * Composes a page of static pieces and parts. Static pieces are ready at once, each part as soon as it is made. A part
 * that fails or is late is replaced by its fallback.
 *
 * @returns the bytes of the page in page order, once no required part can fail any more and so the status is known
 * @throws the error of a required part
 */
export async function composeParts(
  pieces: readonly (Uint8Array | ComposedPart)[],
  options: ComposeOptions,
): Promise<ComposedBody> {
  const page = new ComposedPage(pieces, options)
  await page.required
  return page.stream
}

class ComposedPage {
  readonly stream: ComposedBody
  readonly required: Promise<void>
  readonly #options: ComposeOptions
  /** The parts that are not finished, by their places among the pieces. */
  readonly #open = new Map<number, ComposedPart>()
  readonly #timer: NodeJS.Timeout | undefined
  #openRequired: number
  readonly #accept: () => void
  readonly #refuse: (error: Error) => void

  constructor(pieces: readonly (Uint8Array | ComposedPart)[], options: ComposeOptions) {
    this.#options = options
    this.stream = new ComposedBody(pieces.length)
    for (const [place, piece] of pieces.entries()) {
      if (piece instanceof Uint8Array) this.stream.put(place, piece)
      else this.#open.set(place, piece)
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.required = promise
    this.#accept = resolve
    this.#refuse = reject
    this.#openRequired = [...this.#open.values()].filter(isRequired).length
    if (this.#openRequired === 0) this.#accept()
    if (this.#open.size === 0) return
    if (Number.isFinite(options.partTimeoutMs))
      this.#timer = setTimeout(() => this.#expire(), options.partTimeoutMs)
    for (const [place, part] of this.#open) void this.#make(place, part)
  }

  async #make(place: number, part: ComposedPart): Promise<void> {
    try {
      const html = await part.make(() => this.#open.has(place))
      if (!this.#settle(place)) return
      this.stream.put(place, html)
      if (isRequired(part) && --this.#openRequired === 0) this.#accept()
    } catch (error) {
      this.#fail(place, part, error as Error)
    }
  }

  #fail(place: number, part: ComposedPart, error: Error): void {
    if (!this.#settle(place)) return
    if (!part.fallback) {
      this.stream.destroy()
      // Nobody wants the other parts any more.
      for (const other of this.#open.keys()) this.#settle(other)
      return this.#refuse(error)
    }
    if (this.stream.destroyed || this.#options.isGone()) return
    this.stream.put(place, part.fallback)
    part.onFallback(error)
  }

  #expire(): void {
    for (const [place, part] of this.#open) this.#fail(place, part, part.late())
  }

  /** @returns whether the part was still open */
  #settle(place: number): boolean {
    const wasOpen = this.#open.delete(place)
    if (this.#open.size === 0) clearTimeout(this.#timer)
    return wasOpen
  }
}

const isRequired = ({ fallback }: ComposedPart): boolean => fallback === undefined
