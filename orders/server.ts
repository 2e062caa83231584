import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { parse as parseQueryString } from 'node:querystring'
import { setTimeout as delay } from 'node:timers/promises'
import { choice, integer } from '../lib/options.ts'
import { InvalidQueryError, queryParser, splitUrl } from '../lib/query.ts'
import { refuse, respond } from '../lib/respond.ts'
import { encodeJson, encodeProtobuf } from './encoded.ts'
import { acceptsProtobuf, MAX_ORDERS, MAX_SEED, mediaTypes, payloads } from './order.ts'

const parseQuery = queryParser({
  count: integer({ min: 0, max: MAX_ORDERS, default: '15', help: 'how many orders' }),
  payload: choice({ choices: payloads, default: 'mixed', help: 'which half of an order' }),
  seed: integer({ min: 0, max: MAX_SEED, default: '1', help: 'where in the catalogue to begin' }),
})

/** The upstream microservice: `GET /orders?count=15&payload=mixed&seed=1`, JSON or Protobuf by `Accept`. */
export function createOrdersServer({ latencyMs }: { latencyMs: number }): Server {
  return createServer(async (request, response) => {
    if (latencyMs > 0) await delay(latencyMs)
    answer(request, response)
  })
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const [path, queryString] = splitUrl(request.url as string)
  if (request.method !== 'GET') {
    response.setHeader('allow', 'GET')
    return refuse(response, 405, 'METHOD_NOT_ALLOWED', 'only GET is allowed')
  }
  if (path === '/healthz') return respond(response, 200, mediaTypes.json, '{"status":"ok"}')
  if (path !== '/orders') return refuse(response, 404, 'NOT_FOUND', 'there is only /orders and /healthz')
  try {
    const { count, payload, seed } = parseQuery(parseQueryString(queryString))
    const asProtobuf = acceptsProtobuf(request.headers.accept)
    const encode = asProtobuf ? encodeProtobuf : encodeJson
    respond(response, 200, asProtobuf ? mediaTypes.protobuf : mediaTypes.json, encode(count, payload, seed))
  } catch (error) {
    if (!(error instanceof InvalidQueryError)) throw error
    refuse(response, 400, 'INVALID_QUERY', error.message)
  }
}
