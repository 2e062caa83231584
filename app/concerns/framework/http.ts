import { createServer } from 'node:http'
import { parseQuery, splitUrl } from '../../../lib/http/query.ts'
import { type CreateHttpServer, sendAnswer, serverLimits } from './contract.ts'

/** Uses node:http alone. This is the floor of the concern. */
export const createHttpServer: CreateHttpServer = async service => {
  const paths = new Set(service.paths)
  return createServer(serverLimits, async (request, response) => {
    const [path, query] = splitUrl(request.url as string)
    const served = paths.has(path) && (request.method === 'GET' || request.method === 'HEAD')
    sendAnswer(
      response,
      served ? await service.answer(path, parseQuery(query), request, response) : service.refuse(request),
    )
  })
}
