import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { isBodiless } from '../page-head.ts'
import type { RenderError } from './render-error.ts'
import type { OpenPage, PageHead, PageRequest, PageSink, PageThreads } from './renderer-types.ts'

/** The part of a request of a framework, or of node:http, that the renderer reads. */
export interface IncomingLike {
  readonly url?: string
  readonly method?: string
  readonly raw?: { readonly rawHeaders: readonly string[] }
  readonly rawHeaders?: readonly string[]
}

/** A reply of Fastify, or a response of node:http, which other frameworks extend. */
export type ReplyLike = ServerResponse | FastifyReplyLike

export interface FastifyReplyLike {
  readonly raw: ServerResponse
  hijack(): unknown
  getHeaders(): Readonly<Record<string, unknown>>
}

/**
 * Answers a request of a framework or of node:http.
 * @throws RenderError when there is no shell, if the framework has a handler for errors
 */
export function replyTo(
  renderer: Pick<PageThreads, 'open'>,
  request: IncomingLike,
  reply: ReplyLike,
  page: Partial<PageRequest> = {},
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const fastifyReply = 'hijack' in reply ? reply : undefined
  const response = fastifyReply?.raw ?? (reply as ServerResponse)
  const isBare = !fastifyReply && !('next' in request)
  const begin = () => {
    if (fastifyReply) takeOver(fastifyReply)
    resolve()
  }
  const sink = new ResponseSink(response, {
    onStart: begin,
    onFail: isBare ? error => answerPlainly(response, error, resolve) : reject,
  })
  sink.page = renderer.open(
    {
      url: request.url ?? '/',
      method: request.method,
      rawHeaders: (request.raw ?? request).rawHeaders,
      ...page,
    },
    sink,
  )
  response.once('close', () => {
    sink.page?.leave()
    if (!response.headersSent) begin()
  })
  return promise
}

/** Headers that hooks have set go with the page. */
function takeOver(reply: FastifyReplyLike): void {
  reply.hijack()
  if (reply.raw.destroyed) return
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value as string)
}

function answerPlainly(response: ServerResponse, { statusCode }: RenderError, done: () => void): void {
  if (!response.headersSent) response.writeHead(statusCode, { 'content-type': 'text/plain' })
  response.end('The page cannot be shown.\n')
  done()
}

interface ResponseEvents {
  /** Called before anything is written. */
  onStart(): void
  onFail(error: RenderError): void
}

/**
 * Writes a page to a response, without a stream between. The memory of a chunk is freed when it is sent. If it were left to
 * the garbage collector, a hundred kilobytes per page outside its heap would make it mark the whole heap twice a second.
 */
class ResponseSink implements PageSink {
  page: OpenPage | undefined
  readonly #response: ServerResponse
  readonly #events: ResponseEvents
  #head: PageHead | undefined

  constructor(response: ServerResponse, events: ResponseEvents) {
    this.#response = response
    this.#events = events
  }

  start(head: PageHead): void {
    this.#head = head
    this.#events.onStart()
  }

  fail(error: RenderError): void {
    if (this.#response.headersSent) this.#response.destroy()
    else this.#events.onFail(error)
  }

  chunk(chunk: Uint8Array<ArrayBuffer>, isLast: boolean): void {
    const response = this.#response
    if (this.#head)
      this.#writeHead(this.#head, isLast && !isBodiless(this.#head.status) ? chunk.length : undefined)
    const { length } = chunk
    const sent = () => {
      chunk.buffer.transfer(0)
      this.page?.consumed(length)
    }
    if (isLast) response.end(chunk, sent)
    else response.write(chunk, sent)
  }

  /** @param length the length of the whole body, if it is known */
  #writeHead({ status, headers }: PageHead, length: number | undefined): void {
    this.#head = undefined
    const given = headers as OutgoingHttpHeaders
    this.#response.writeHead(status, length === undefined ? given : { ...given, 'content-length': length })
  }
}
