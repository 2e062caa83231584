import { createServer, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { splitUrl } from '../../../lib/query.ts'
import { serverLimits } from '../../limits.ts'
import type { Answer, CreateHttpServer } from './contract.ts'
import { parseQuery } from './parse-query.ts'
import { sendStream } from './send-stream.ts'

/** Uses node:http alone. This is the floor of the concern. */
export const createHttpServer: CreateHttpServer = async service => {
  const paths = new Set(service.paths)
  return createServer(serverLimits, async (request, response) => {
    const [path, query] = splitUrl(request.url as string)
    const served = paths.has(path) && (request.method === 'GET' || request.method === 'HEAD')
    send(
      response,
      served ? await service.answer(path, parseQuery(query), request, response) : service.refuse(request),
    )
  })
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  if (body instanceof Readable) {
    response.writeHead(status, headers)
    sendStream(response, body)
  } else response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body)
}
