import type { ClientRequest, IncomingMessage } from 'node:http'
import { field, versionId } from '../protocol.ts'
import { begin, type Current, end, type Holder, SPAN, takeReports } from './calls.ts'
import type { SpanWriter } from './span-writer.ts'

/** A call by the client of node:http or node:https. */
type HttpCall = ClientRequest & Holder

interface CallMessage {
  readonly request: HttpCall
  readonly response: IncomingMessage
  readonly error: Error
}

/** Records the calls by the clients of node:http and node:https, which Node.js reports on its channels. */
export function recordHttpCalls(writer: SpanWriter, current: Current): void {
  const { spans } = writer
  // All calls share one listener. `close` is the last event of a call, also of one that failed or was upgraded.
  const endCall = function (this: HttpCall) {
    end(this, writer)
  }
  const on = (name: string, take: (message: CallMessage) => void) => takeReports(`http.client.${name}`, take)

  on('request.created', ({ request }) => {
    const { protocol, method } = request
    const call = { origin: `${protocol}//${request.getHeader('host') ?? request.host}`, method }
    request[SPAN] = begin(call, writer, current, (name, value) => {
      // Headers that were given as an array are on their way already.
      if (!request.headersSent) request.setHeader(name, value)
    })
    request.once('close', endCall)
  })
  on('response.finish', ({ request, response }) => {
    const span = request[SPAN]
    if (!span) return
    spans.set(span, field.status, response.statusCode as number)
    spans.set(span, field.protocolVersion, versionId(response.httpVersion))
  })
  on('request.error', ({ request, error }) => end(request, writer, error))
}
