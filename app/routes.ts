import { pbkdf2 } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { choice, integer, type OptionTable, type Values } from '../lib/options.ts'
import { queryParser, type RawQuery } from '../lib/query.ts'
import { MAX_ORDERS, MAX_SEED, type Order, payloads } from '../orders/order.ts'
import { MAX_SIZE } from '../workers/subset-sum.ts'
import { task } from '../workers/tasks.ts'
import type { Compute } from './compute/contract.ts'
import type { RequestContext } from './context.ts'
import type { Logger } from './logging/contract.ts'
import type { OrdersClient, OrdersQuery } from './orders-client.ts'
import { Problem } from './problems.ts'
import { type Encoded, JSON_TYPE, type Serialization } from './serialization/contract.ts'

/** What the routes work with: the concerns of the composition, and the upstream. */
export interface Parts {
  readonly compute: Compute
  readonly serialization: Serialization
  readonly logger: Logger
  readonly upstream: OrdersClient
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

/** The query parameters, by name; each route picks its own. */
const parameters = {
  seed: integer({
    min: 0,
    max: MAX_SEED,
    default: '1',
    help: 'decides the content of the answer, and is echoed',
  }),
  size: integer({ min: 1, max: MAX_SIZE, default: '13', help: 'how many numbers' }),
  orders: integer({ min: 0, max: MAX_ORDERS, default: '15', help: 'how many orders' }),
  payload: choice({ choices: payloads, default: 'mixed', help: 'which half of an order' }),
  count: integer({ min: 0, max: 1000, default: '10', help: 'how many lines' }),
} as const

const deriveKey = promisify(pbkdf2)

/** What `/io` reads and digests. */
export const IO_FILE = join(import.meta.dirname, '../orders/orders.proto')
export const IO_ITERATIONS = 1000
const DEMO_ORDERS = 15
const DEMO_LOG_LINES = 10

/** The routes, independent of the framework. Each answer is a pure function of the query. */
export function createRoutes({ compute, serialization, logger, upstream, isReady }: Parts): Route[] {
  /** Asks upstream and decodes what comes, as the serialization of the composition does. */
  async function fetchOrders(query: OrdersQuery, context: RequestContext): Promise<readonly Order[]> {
    const bytes = await upstream.fetch(query, context)
    try {
      const orders = serialization.decodeOrders(bytes)
      if (orders.length === query.count) return orders
      throw new Error(`${query.count} orders were asked for, ${orders.length} came`)
    } catch (error) {
      throw new Problem('UPSTREAM_FAILED', undefined, error)
    }
  }

  return [
    route('/hello', {}, () => json({ hello: 'world' })),

    route('/cpu', pick('size', 'seed'), async (problem, context) => {
      const [{ output }] = await compute.run(context, task('subsetSum', problem))
      return json(output)
    }),

    route('/serialization', pick('orders', 'payload', 'seed'), async (query, context, accept) => {
      const { orders: count, payload, seed } = query
      const orders = await fetchOrders({ count, payload, seed }, context)
      return serialization.encode('OrdersAnswer', { seed, payload, orders }, accept)
    }),

    route('/log', pick('count'), ({ count }) => {
      for (let line = 1; line <= count; line++) logger.info('a line of many', { line, of: count })
      return json({ count })
    }),

    route('/io', pick('seed'), async ({ seed }, context) => {
      const content = await readFile(IO_FILE)
      const digest = await deriveKey(content, String(seed), IO_ITERATIONS, 32, 'sha256')
      const [order] = await fetchOrders({ count: 1, payload: 'mixed', seed }, context)
      return json({ seed, digest: digest.toString('hex'), orderId: order?.id })
    }),

    route('/demo', pick('seed'), async ({ seed }, context, accept) => {
      const orders = await fetchOrders({ count: DEMO_ORDERS, payload: 'mixed', seed }, context)
      const results = await compute.run(
        context,
        task('subsetSum', { size: 13, seed }),
        task('subsetSum', { size: 8, seed }),
      )
      for (const { id, details, amounts } of orders.slice(0, DEMO_LOG_LINES)) {
        logger.info('order read', { orderId: id, status: details?.status, total: amounts?.total })
      }
      const tasks = results.map(({ output }) => output)
      return serialization.encode('DemoAnswer', { seed, tasks, orders }, accept)
    }),

    route('/healthz', {}, () => json({ status: 'ok' })),

    route('/readyz', {}, () => {
      if (!isReady()) throw new Problem('NOT_READY')
      return json({ status: 'ready' })
    }),
  ]
}

type Handle<Table extends OptionTable> = (
  query: Values<Table>,
  context: RequestContext,
  accept: string | undefined,
) => Promise<Encoded> | Encoded

function route<Table extends OptionTable>(path: string, table: Table, handle: Handle<Table>): Route {
  const parse = queryParser(table)
  return { path, handle: (raw, context, accept) => handle(parse(raw), context, accept) }
}

function pick<Name extends keyof typeof parameters>(...names: Name[]): Pick<typeof parameters, Name> {
  return Object.fromEntries(names.map(name => [name, parameters[name]])) as Pick<typeof parameters, Name>
}

const json = (value: unknown): Encoded => ({ contentType: JSON_TYPE, body: JSON.stringify(value) })
