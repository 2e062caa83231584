import { Readable } from 'node:stream'
import type { BodyStream } from '../../lib/main-thread/send-stream.ts'
import { RenderError } from './render-error.ts'
import type { OpenPage, PageRequest, PageSink, PageThreads, StreamedPage } from './renderer-types.ts'

type Chunk = Uint8Array<ArrayBuffer>

/**
 * The body of a page, which sends no more than a client reads. The memory of sent bytes is freed at once: the garbage collector would
 * mark the whole heap twice a second for a hundred kilobytes per page outside of it.
 */
export class PageBody extends Readable implements BodyStream {
  readonly #page: OpenPage
  #unreadBytes = 0
  isComplete = false

  constructor(page: OpenPage) {
    super()
    this.#page = page
  }

  add(chunk: Chunk, isLast: boolean): void {
    this.isComplete = isLast
    // After HEAD nobody reads the rest, and the page goes on.
    if (this.destroyed) return this.#page.consumed(chunk.length)
    this.#unreadBytes += chunk.length
    if (chunk.length > 0) this.push(chunk)
    if (isLast) this.push(null)
  }

  /** Ends it before its end. Without a listener, an error would end the process. */
  cut(error: RenderError): void {
    this.destroy(this.listenerCount('error') > 0 ? error : undefined)
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

/** The client of a page, and the functions that are called for the page; `rendered` only if there is one. */
export interface PageAsker extends Partial<Omit<PageSink, 'chunk' | 'fail'>> {
  readonly client: { readonly gone: boolean; onGone(listener: () => void): unknown }
  /** Called when nothing more of the page comes. */
  over?(): void
}

/**
 * Makes a page for an answer. The memory of a body that is a `Buffer` belongs to this page alone.
 * @returns the bytes, together if they came together, or else as a stream
 * @throws RenderError when there is no page
 */
export function makeBody(
  renderer: Pick<PageThreads, 'open'>,
  request: PageRequest,
  asker: PageAsker,
): Promise<Buffer | PageBody> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | PageBody>()
  let body: Buffer | PageBody | undefined
  const fail = (error: RenderError) => {
    reject(error)
    if (body instanceof PageBody) body.cut(error)
    asker.over?.()
  }
  const page = renderer.open(request, {
    start() {},
    ...asker,
    chunk(chunk, isLast) {
      if (isLast) asker.over?.()
      if (!body) {
        body = isLast ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length) : new PageBody(page)
        resolve(body)
      }
      if (body instanceof PageBody) body.add(chunk, isLast)
    },
    fail,
    rendered: times => body && asker.rendered?.(times),
  })
  const leave = () => {
    page.leave()
    fail(new RenderError('CLIENT_GONE'))
  }
  if (asker.client.gone) leave()
  else asker.client.onGone(leave)
  return promise
}

/** Makes a page as a stream, whose end is that of the work for it. @throws RenderError when there is no shell */
export function streamPage(renderer: Pick<PageThreads, 'open'>, request: PageRequest): Promise<StreamedPage> {
  const { promise, resolve, reject } = Promise.withResolvers<StreamedPage>()
  let body: PageBody | undefined
  const page = renderer.open(request, {
    start(head) {
      body = new PageBody(page).once('close', () => page.leave())
      resolve({ ...head, body })
    },
    chunk: (chunk, isLast) => body?.add(chunk, isLast),
    fail(error) {
      reject(error)
      body?.cut(error)
    },
  })
  return promise
}
