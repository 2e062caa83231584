import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerResponse } from 'node:http2'
import { guarded } from '../../lib/main-thread/warn.ts'
import { errorOf } from '../../lib/threads/thrown.ts'
import { withBefore } from '../headers.ts'
import { makeBody } from './page-body.ts'
import { noPage, type RenderError } from './render-error.ts'
import type { PageHead, PageRequest, PageThreads, RendererOptions } from './renderer-types.ts'
import { type RawRequest, readBody } from './request-body.ts'
import { ResponseSink, sendHints } from './response-sink.ts'

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

/** The part of a reply of Fastify 3 to 5 that the renderer uses. */
export interface FastifyReplyLike {
  readonly raw: ServerResponse | Http2ServerResponse
  hijack(): unknown
  getHeader(name: string): unknown
  removeHeader(name: string): unknown
  headers(headers: Record<string, string | string[]>): unknown
  code(status: number): unknown
  send(payload: unknown): unknown
}

/** A response of node:http or node:http2, which frameworks extend, or a reply of Fastify. */
export type ReplyLike = ServerResponse | Http2ServerResponse | FastifyReplyLike

type ReplySettings = Pick<RendererOptions, 'answerError'> & Required<Pick<RendererOptions, 'bodyLimitBytes'>>

/** See `Renderer.reply`. */
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

/** Sends a page as Fastify sends any payload, so that its `onSend` hooks run. */
async function sendByFastify(
  renderer: Pick<PageThreads, 'open'>,
  request: PageRequest,
  reply: FastifyReplyLike,
  refuse: (error: RenderError) => void,
): Promise<void> {
  const { raw } = reply
  let isGone = false
  let head: PageHead | undefined
  try {
    const body = await makeBody(renderer, request, {
      client: {
        get gone() {
          return isGone
        },
        onGone(listener) {
          raw.once('close', () => {
            isGone = !raw.writableFinished
            if (isGone) listener()
          })
        },
      },
      start(given) {
        head = given
      },
      hints: links => sendHints(raw as ServerResponse, links),
    })
    // Somebody else may have answered, such as a timeout.
    if (raw.headersSent || isGone) return
    writeHead(reply, head as PageHead)
    reply.send(body instanceof Buffer && body.length === 0 ? undefined : body)
  } catch (error) {
    refuse(error as RenderError)
  }
}

/** Fastify appends a cookie to those that are there, and replaces any other header. */
function writeHead(reply: FastifyReplyLike, { status, headers }: PageHead): void {
  const all = withBefore(headers, name => reply.getHeader(name))
  if (all['set-cookie']) reply.removeHeader('set-cookie')
  reply.code(status)
  reply.headers(all as Record<string, string | string[]>)
}
