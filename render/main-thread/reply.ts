import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerResponse } from 'node:http2'
import { guarded } from '../../lib/main-thread/warn.ts'
import { errorOf } from '../../lib/threads/thrown.ts'
import { type FastifyReplyLike, sendByFastify } from './fastify-reply.ts'
import { noPage, type RenderError } from './render-error.ts'
import type { PageRequest, PageThreads, RendererOptions } from './renderer-types.ts'
import { type RawRequest, readBody } from './request-body.ts'
import { ResponseSink } from './response-sink.ts'

/** The part of a request of a framework, or of node:http, that the renderer reads. */
export interface IncomingLike {
  readonly url?: string
  /** The URL before a router took off the path at which it is mounted. */
  readonly originalUrl?: string
  readonly method?: string
  readonly rawHeaders?: readonly string[]
  /** What a parser has made of the body. */
  readonly body?: unknown
  /** The request of node:http below that of Fastify. */
  readonly raw?: object
  /** How Express takes errors. */
  next?(error: unknown): void
}

/** A response of node:http or node:http2, which frameworks extend, or a reply of Fastify. */
export type ReplyLike = ServerResponse | Http2ServerResponse | FastifyReplyLike

type ReplySettings = Pick<RendererOptions, 'answerError'> & Required<Pick<RendererOptions, 'bodyLimitBytes'>>

/**
 * Answers a request of a framework or of node:http. An error before there is a page goes to the framework.
 * @returns a promise that is fulfilled when the answer was sent, or its client has left
 * @throws TypeError for a reply of an unknown kind
 */
export function replyTo(
  renderer: Pick<PageThreads, 'open'>,
  request: IncomingLike,
  reply: ReplyLike,
  page: Partial<PageRequest>,
  { bodyLimitBytes, answerError }: ReplySettings,
): Promise<void> {
  const fastifyReply = 'raw' in reply && 'send' in reply ? reply : undefined
  const response = (fastifyReply?.raw ?? reply) as ServerResponse
  if (typeof response?.writeHead !== 'function')
    throw new TypeError(
      'reply expects a response of node:http, as Express has it, too, or a reply of Fastify',
    )
  const { promise, resolve } = Promise.withResolvers<void>()
  if (response.destroyed || response.writableFinished) resolve()
  let isClosed = false
  response.once('close', () => {
    isClosed = true
    // Fastify would answer when the promise is fulfilled.
    if (!response.headersSent) fastifyReply?.hijack()
    resolve()
  })
  const refuse = guarded('the error handler of a request', (error: RenderError) => {
    if (isClosed) return
    if (fastifyReply) fastifyReply.send(error)
    else if (request.next) request.next(error)
    else if (answerError) void answerOrEnd(answerError, error, request as IncomingMessage, response)
    else answerPlainly(response, error.statusCode)
  })
  const begin = (body: PageRequest['body']) => {
    if (isClosed) return
    const { url, originalUrl = url ?? '/', method } = request
    const { rawHeaders } = raw
    const asked = { url: originalUrl, method, rawHeaders, ...page, body }
    if (fastifyReply) return void sendByFastify(renderer, asked, fastifyReply, refuse)
    const sink = new ResponseSink(response, refuse)
    sink.page = renderer.open(asked, sink)
  }
  const raw = (request.raw ?? request) as RawRequest
  const body = page.body ?? readBody(raw, request.body, bodyLimitBytes)
  if (body instanceof Promise) body.then(begin, refuse)
  else begin(body)
  return promise
}

/** Lets the service answer. If it throws, the connection ends, so that no client waits. */
async function answerOrEnd(
  answerError: NonNullable<RendererOptions['answerError']>,
  error: RenderError,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    await answerError(error, request, response)
  } catch (thrown) {
    process.emitWarning(errorOf(thrown))
    response.destroy()
  }
}

function answerPlainly(response: ServerResponse, statusCode: number): void {
  // Somebody before may have begun an answer.
  if (response.headersSent) response.destroy()
  else response.writeHead(statusCode, { 'content-type': 'text/plain' }).end(noPage)
}
