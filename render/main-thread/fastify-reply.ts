import type { ServerResponse } from 'node:http'
import type { Http2ServerResponse } from 'node:http2'
import { withBefore } from '../list-headers.ts'
import { makeBody } from './page-body.ts'
import type { RenderError } from './render-error.ts'
import type { PageHead, PageRequest, PageThreads } from './renderer-types.ts'
import { sendHints } from './response-sink.ts'

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

/** Sends a page as Fastify sends any payload, so that its `onSend` hooks run. */
export async function sendByFastify(
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
      rendered() {},
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
