import type { IncomingMessage, ServerResponse } from 'node:http'
import { sendStream } from '../../lib/main-thread/send-stream.ts'
import type { PageRenderer, Pieces } from './page-types.ts'

const HTML = 'text/html; charset=utf-8'

type Pages = Pick<PageRenderer<object>, 'page'>
type Compose<Request> = (request: Request) => Pieces | Promise<Pieces>

/** The part of Fastify's reply that the handler uses. */
interface Reply {
  readonly raw: ServerResponse
  type(contentType: string): unknown
}

/** Makes a handler of Fastify that answers with a page. If a required part fails, Fastify handles the error. */
export const fastifyHandler =
  <Request>(renderer: Pages, compose: Compose<Request>) =>
  async (request: Request, reply: Reply) => {
    const made = await renderer.page(await compose(request), { signal: signalOf(reply.raw) })
    reply.type(HTML)
    return made
  }

/**
 * Makes a listener of node:http that answers with a page.
 * @param answerError answers if there is no page; by default 500
 */
export const httpHandler =
  (
    renderer: Pages,
    compose: Compose<IncomingMessage>,
    answerError: (error: unknown, request: IncomingMessage, response: ServerResponse) => void = answer500,
  ) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const made = await renderer.page(await compose(request), { signal: signalOf(response) })
      response.writeHead(200, { 'content-type': HTML })
      sendStream(response, made)
    } catch (error) {
      answerError(error, request, response)
    }
  }

/** A signal that is aborted when the connection of the client closes. */
function signalOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  response.once('close', () => controller.abort())
  return controller.signal
}

function answer500(error: unknown, _: IncomingMessage, response: ServerResponse): void {
  process.emitWarning(error as Error)
  response.writeHead(500, { 'content-type': 'text/plain' }).end('Internal Server Error')
}
