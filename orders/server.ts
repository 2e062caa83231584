import { createServer, type Server } from 'node:http'
import { type ParsedUrlQuery, parse as parseQueryString } from 'node:querystring'
import { setTimeout as delay } from 'node:timers/promises'
import { choice, integer, type Values } from '../lib/cli/options.ts'
import { InvalidQueryError, queryParser, splitUrl } from '../lib/http/query.ts'
import { refuse, respond } from '../lib/http/respond.ts'
import { readProcessUsage } from '../lib/os/usage.ts'
import { seedParameter } from '../lib/random.ts'
import { selectRecommendations } from './catalogue.ts'
import { encodeOrders, encodeRecommendations } from './encoded.ts'
import {
  acceptsProtobuf,
  MAX_ORDERS,
  MAX_RECOMMENDATIONS,
  mediaTypes,
  type ordersOptions,
  payloads,
} from './order.ts'

type Encoding = keyof typeof mediaTypes

const seed = { ...seedParameter, help: 'where in the catalogue to begin' }

const parseOrdersQuery = queryParser({
  count: integer({ min: 0, max: MAX_ORDERS, default: '15', help: 'how many orders' }),
  payload: choice({
    choices: payloads,
    default: 'mixed',
    help: 'which fields of an order: strings, numbers or both',
  }),
  seed,
})

const parseRecommendationsQuery = queryParser({
  count: integer({ min: 0, max: MAX_RECOMMENDATIONS, default: '6', help: 'how many products' }),
  seed,
})

/**
 * The upstream microservice. It answers JSON or Protobuf by `Accept`.
 *
 *   GET /orders?count=15&payload=mixed&seed=1
 *   GET /recommendations?count=6&seed=1
 *   GET /healthz, /usage
 *
 * @param options `latencyMs` may change while it runs
 */
export function createOrdersServer(options: Partial<Values<typeof ordersOptions>>): Server {
  const { recommendationsLatencyMs = 0 } = options
  const routes: Readonly<Record<string, (query: ParsedUrlQuery, encoding: Encoding) => Promise<Buffer>>> = {
    async '/orders'(query, encoding) {
      const { count, payload, seed } = parseOrdersQuery(query)
      return encodeOrders[encoding](count, payload, seed)
    },
    async '/recommendations'(query, encoding) {
      const { count, seed } = parseRecommendationsQuery(query)
      if (recommendationsLatencyMs > 0) await delay(recommendationsLatencyMs)
      return encodeRecommendations[encoding](selectRecommendations(count, seed))
    },
  }

  return createServer(async (request, response) => {
    const { latencyMs = 0 } = options
    if (latencyMs > 0) await delay(latencyMs)
    const [path, query] = splitUrl(request.url as string)
    if (request.method !== 'GET') {
      response.setHeader('allow', 'GET')
      return refuse(response, 405, 'METHOD_NOT_ALLOWED', 'only GET is allowed')
    }
    if (path === '/healthz') return respond(response, 200, mediaTypes.json, '{"status":"ok"}')
    if (path === '/usage') return respond(response, 200, mediaTypes.json, JSON.stringify(readProcessUsage()))
    const route = Object.hasOwn(routes, path) ? routes[path] : undefined
    if (!route) {
      const paths = [...Object.keys(routes), '/usage', '/healthz'].join(', ')
      return refuse(response, 404, 'NOT_FOUND', `there is only ${paths}`)
    }
    try {
      const encoding = acceptsProtobuf(request.headers.accept) ? 'protobuf' : 'json'
      respond(response, 200, mediaTypes[encoding], await route(parseQueryString(query), encoding))
    } catch (error) {
      if (!(error instanceof InvalidQueryError)) throw error
      refuse(response, 400, 'INVALID_QUERY', error.message)
    }
  })
}
