import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { errorOf } from '../../lib/threads/thrown.ts'
import { sendBehindMiddleware } from './own-writes.ts'
import { PartError } from './part-error.ts'
import type { PageRenderer, Pieces } from './part-types.ts'
import { type AnswerError, answerOrEnd, answerPlainly } from './reply.ts'

const HTML = 'text/html; charset=utf-8'

type Pages = Pick<PageRenderer<object>, 'page'>
type Compose<Request> = (request: Request) => Pieces | Promise<Pieces>

/** The part of Fastify's reply that the handler uses. */
interface Reply {
  readonly raw: ServerResponse
  type(contentType: string): unknown
  hijack(): unknown
}

/** Makes a handler of Fastify that answers with a page. If a required part fails, Fastify handles the error. */
export const fastifyHandler =
  <Request>(renderer: Pages, compose: Compose<Request>) =>
  async (request: Request, reply: Reply) => {
    const made = await makePage(reply.raw, renderer, () => compose(request))
    if (made) reply.type(HTML)
    else reply.hijack()
    return made
  }

/**
 * Makes a listener of node:http that answers with a page.
 * @param answerError answers if there is no page; by default 500
 */
export const httpHandler =
  (renderer: Pages, compose: Compose<IncomingMessage>, answerError: AnswerError<unknown> = answer500) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const made = await makePage(response, renderer, () => compose(request))
      if (!made) return
      response.writeHead(200, { 'content-type': HTML })
      sendBehindMiddleware(response, made)
    } catch (error) {
      await answerOrEnd(answerError, error, request, response)
    }
  }

/**
 * Makes a page for as long as its client is there.
 * @returns undefined if the client has left: then nobody needs an answer
 */
async function makePage(
  response: ServerResponse,
  renderer: Pages,
  compose: () => ReturnType<Compose<unknown>>,
): Promise<Readable | undefined> {
  const controller = new AbortController()
  const { signal } = controller
  response.once('close', () => controller.abort())
  const pieces = await compose()
  if (response.destroyed) return undefined
  try {
    const page = await renderer.page(pieces, { signal })
    if (!signal.aborted) return page
    page.destroy()
  } catch (error) {
    if (!signal.aborted || !(error instanceof PartError && error.code === 'CLIENT_GONE')) throw error
  }
  return undefined
}

function answer500(error: unknown, _: IncomingMessage, response: ServerResponse): void {
  process.emitWarning(errorOf(error))
  answerPlainly(response, 500)
}
