import { pbkdf2 } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { choice, integer, type OptionTable, type Values } from '../lib/options.ts'
import { queryParser, type RawQuery } from '../lib/query.ts'
import { MAX_ORDERS, MAX_SEED, payloads } from '../orders/order.ts'
import { MAX_SIZE } from '../workers/subset-sum.ts'
import type { Compute } from './compute/contract.ts'
import type { RequestContext } from './context.ts'
import type { Logger } from './logging/contract.ts'
import type { OrdersClient } from './orders-client.ts'
import { Problem } from './problems.ts'
import { type Encoded, JSON_TYPE, type Serialization } from './serialization/contract.ts'

/** What the routes work with: the concerns of the composition, and the upstream. */
export interface Parts {
  readonly compute: Compute
  readonly serialization: Serialization
  readonly logger: Logger
  readonly orders: OrdersClient
  /** Whether requests should be sent here. */
  isReady(): boolean
}

export interface Route {
  readonly path: string
  /**
   * @param accept the client's `Accept` header
   * @throws InvalidQueryError, Problem
   */
  handle(raw: RawQuery, context: RequestContext, accept: string | undefined): Promise<Encoded> | Encoded
}

const seed = integer({
  min: 0,
  max: MAX_SEED,
  default: '1',
  help: 'decides the content of the answer, and is echoed',
})
const size = integer({ min: 1, max: MAX_SIZE, default: '13', help: 'how many numbers' })
const orders = integer({ min: 0, max: MAX_ORDERS, default: '15', help: 'how many orders' })
const payload = choice({ choices: payloads, default: 'mixed', help: 'which half of an order' })
const count = integer({ min: 0, max: 1000, default: '10', help: 'how many lines' })

/** What `/io` reads and digests. */
export const IO_FILE = join(import.meta.dirname, '../orders/orders.proto')
export const IO_ITERATIONS = 1000
const DEMO_ORDERS = 15
const DEMO_LOG_LINES = 10

/** The routes, independent of the framework. Each answer is a pure function of the query. */
export function createRoutes({ compute, serialization, logger, orders: upstream, isReady }: Parts): Route[] {
  return [
    route('/hello', {}, () => json({ hello: 'world' })),

    route('/cpu', { size, seed }, async (query, context) => {
      const { output } = await compute.run('subsetSum', query, context)
      return json(output)
    }),

    route('/serialization', { orders, payload, seed }, async (query, context, accept) => {
      const bytes = await upstream.fetch({ ...query, count: query.orders }, context)
      const decoded = serialization.decodeOrders(bytes)
      return serialization.encode(
        'OrdersAnswer',
        { seed: query.seed, payload: query.payload, orders: decoded },
        accept,
      )
    }),

    route('/log', { count }, query => {
      for (let line = 1; line <= query.count; line++) logger.info('a line of many', { line, of: query.count })
      return json({ count: query.count })
    }),

    route('/io', { seed }, async (query, context) => {
      const content = await readFile(IO_FILE)
      const digest = await promisify(pbkdf2)(content, String(query.seed), IO_ITERATIONS, 32, 'sha256')
      const bytes = await upstream.fetch({ count: 1, payload: 'mixed', seed: query.seed }, context)
      const [order] = serialization.decodeOrders(bytes)
      return json({ seed: query.seed, digest: digest.toString('hex'), orderId: order?.id })
    }),

    route('/demo', { seed }, async (query, context, accept) => {
      const bytes = await upstream.fetch({ count: DEMO_ORDERS, payload: 'mixed', seed: query.seed }, context)
      const decoded = serialization.decodeOrders(bytes)
      const results = await Promise.all([
        compute.run('subsetSum', { size: 13, seed: query.seed }, context),
        compute.run('subsetSum', { size: 8, seed: query.seed }, context),
      ])
      for (const order of decoded.slice(0, DEMO_LOG_LINES)) {
        logger.info('order read', {
          orderId: order.id,
          status: order.details?.status,
          total: order.amounts?.total,
        })
      }
      const tasks = results.map(({ output }) => output)
      return serialization.encode('DemoAnswer', { seed: query.seed, tasks, orders: decoded }, accept)
    }),

    route('/healthz', {}, () => json({ status: 'ok' })),

    route('/readyz', {}, () => {
      if (!isReady()) throw new Problem('NOT_READY')
      return json({ status: 'ready' })
    }),
  ]
}

function route<Table extends OptionTable>(
  path: string,
  table: Table,
  handle: (
    query: Values<Table>,
    context: RequestContext,
    accept: string | undefined,
  ) => Promise<Encoded> | Encoded,
): Route {
  const parse = queryParser(table)
  return { path, handle: (raw, context, accept) => handle(parse(raw), context, accept) }
}

const json = (value: unknown): Encoded => ({ contentType: JSON_TYPE, body: JSON.stringify(value) })
