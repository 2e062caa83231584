import { type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { guarded } from '../../lib/main-thread/warn.ts'
import { isBodiless, withBefore } from '../headers.ts'
import type { RenderError } from './render-error.ts'
import type { OpenPage, PageHead, PageSink } from './renderer-types.ts'

/** A function that compression adds: it sends what was written. React calls it, too. */
interface Flushable {
  flush?(): void
}

/**
 * Sends 103 Early Hints, if the answer has not begun. To HTTP/1.0 none may be sent (RFC 9110, section 15.2): many proxies speak it
 * to a service, and take them for the answer. React writes several links as one, and Node.js takes single ones.
 */
export const sendHints = guarded('early hints', (response: ServerResponse, links: readonly string[]) => {
  const isOld = response.req?.httpVersion === '1.0'
  if (!response.headersSent && !isOld)
    response.writeEarlyHints({ link: links.flatMap(each => each.split(/, (?=<)/)) })
})

/**
 * Writes a page to a response, without a stream between, as fast as the client reads. The memory of a chunk is freed when it is
 * sent, as that of a `PageBody`.
 */
export class ResponseSink implements PageSink {
  page: OpenPage | undefined
  readonly #response: ServerResponse & Flushable
  readonly #onFail: (error: RenderError) => void
  #head: PageHead | undefined
  /** Bytes that were written and not yet acknowledged. */
  #unreadBytes = 0
  #endPoll: (() => void) | undefined

  /** @param onFail is called if there is no page */
  constructor(response: ServerResponse, onFail: (error: RenderError) => void) {
    this.#response = response
    this.#onFail = onFail
    response.on('drain', () => this.#acknowledge())
    response.once('close', () => {
      this.#endPoll?.()
      this.page?.leave()
    })
  }

  start(head: PageHead): void {
    // Somebody else may have answered, such as a timeout.
    if (this.#response.headersSent || this.#response.writableEnded) this.page?.leave()
    this.#head = head
  }

  hints(links: readonly string[]): void {
    sendHints(this.#response, links)
  }

  fail(error: RenderError): void {
    if (this.#response.headersSent) this.#response.destroy()
    else this.#onFail(error)
  }

  chunk(chunk: Uint8Array<ArrayBuffer>, isLast: boolean): void {
    const response = this.#response
    if (this.#head) this.#writeHead(this.#head, isLast ? chunk.length : undefined)
    else if (response.writableEnded) return this.page?.leave()
    // What others have replaced may keep the chunk.
    const sent = hasOwnWrites(response) ? () => void chunk.buffer.transfer(0) : undefined
    if (isLast) {
      response.end(chunk, sent)
      return
    }
    this.#unreadBytes += chunk.length
    if (response.write(chunk, sent)) this.#acknowledge()
    else if (!sent) this.#endPoll ??= pollDrain(response, () => this.#acknowledge())
    response.flush?.()
  }

  #acknowledge(): void {
    this.#endPoll?.()
    this.#endPoll = undefined
    if (this.#unreadBytes > 0) this.page?.consumed(this.#unreadBytes)
    this.#unreadBytes = 0
  }

  /** @param length the length of the whole body, if it is known */
  #writeHead({ status, headers }: PageHead, length: number | undefined): void {
    this.#head = undefined
    const response = this.#response
    const all = withBefore(headers, name => response.getHeader(name)) as OutgoingHttpHeaders
    // A router may have left out the body of HEAD, whose length nobody knows then.
    const isLeftOut = length === 0 && response.req?.method === 'HEAD'
    const isKnown = length !== undefined && !isLeftOut && !isBodiless(status)
    response.writeHead(status, isKnown ? { ...all, 'content-length': length } : all)
  }
}

/**
 * Whether nobody has replaced the functions with which a response is written. Middleware that has, such as for compression
 * or caches, may keep what it gets, drop the callback of a write, and never tell that it takes more.
 */
const hasOwnWrites = ({ write, end }: ServerResponse): boolean =>
  write === ServerResponse.prototype.write && end === ServerResponse.prototype.end

const POLL_MS = 200

/**
 * Calls back while a response of replaced functions has nothing left to send: it takes more then, whether or not it says so.
 * @returns the function that ends it
 */
function pollDrain(response: ServerResponse, onDrained: () => void): () => void {
  const timer = setInterval(() => response.writableLength === 0 && onDrained(), POLL_MS).unref()
  return () => clearInterval(timer)
}
