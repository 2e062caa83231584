import { pbkdf2 } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { choice, integer, type OptionTable, type Values, words } from '../lib/options.ts'
import { queryParser } from '../lib/query.ts'
import { MAX_ORDERS, MAX_SEED, payloads } from '../orders/order.ts'
import { sorts, themes } from '../render/page/query.ts'
import { MAX_SIZE } from '../workers/subset-sum.ts'
import { task } from '../workers/tasks.ts'
import type { Compute } from './concerns/compute/contract.ts'
import type { Logger } from './concerns/logging/contract.ts'
import type { HandlePage } from './concerns/rendering/page-handler.ts'
import { createAnswers } from './concerns/serialization/answers.ts'
import { JSON_TYPE, type Serialization } from './concerns/serialization/contract.ts'
import type { RequestContext } from './context.ts'
import type { AnswerOfRoute } from './openapi/answers.ts'
import type { Need } from './overload/queue.ts'
import { Problem } from './problems.ts'
import type { ApiRoute, RouteAnswer } from './route.ts'
import type { OrdersClient } from './upstream/orders-client.ts'

/** The concerns of the composition and the upstream client, with which the routes work. */
export interface RoutesOptions {
  readonly compute: Compute
  readonly serialization: Serialization
  readonly logger: Logger
  readonly upstream: OrdersClient
  readonly page: HandlePage
  /** Whether load balancers should send requests to this process. */
  isReady(): boolean
}

/** The query parameters by name; each route picks some of them. */
const parameters = {
  seed: integer({
    min: 0,
    max: MAX_SEED,
    default: '1',
    help: 'decides the content of the answer, and is echoed',
  }),
  size: integer({ min: 1, max: MAX_SIZE, default: '13', help: 'how many numbers' }),
  orders: integer({ min: 0, max: MAX_ORDERS, default: '15', help: 'how many orders' }),
  payload: choice({
    choices: payloads,
    default: 'mixed',
    help: 'which fields of an order: strings, numbers or both',
  }),
  count: integer({ min: 0, max: 1000, default: '10', help: 'how many lines' }),
} as const

/** The parameters of `/page`, which are the fields of its form. */
const pageParameters = {
  seed: parameters.seed,
  orders: { ...parameters.orders, default: '200' },
  search: words({ max: 100, help: 'only orders with this text' }),
  status: words({ max: 100, help: 'only orders of this status' }),
  sort: choice({ choices: sorts, default: 'placed', help: 'which orders come first' }),
  theme: choice({ choices: themes, default: 'auto', help: 'light or dark' }),
} as const

const deriveKey = promisify(pbkdf2)

/** The file that `/io` reads and digests. */
export const IO_FILE = join(import.meta.dirname, '../orders/orders.proto')
export const IO_ITERATIONS = 1000
const DEMO_ORDERS = 15

/** A light route waits for no pool and no service, and is always admitted. */
const LIGHT: readonly Need[] = []

/** Creates the routes, independent of the framework. Each answer is a pure function of the query. */
export function createRoutes({
  compute,
  serialization,
  logger,
  upstream,
  page,
  isReady,
}: RoutesOptions): ApiRoute[] {
  const answers = createAnswers({ compute, serialization, logger, upstream })

  return [
    route('/hello', 'Hello', LIGHT, {}, () => json({ hello: 'world' })),

    route('/cpu', 'SubsetSum', ['compute'], pick('size', 'seed'), async (problem, context) => {
      const [result] = await compute.run(context, task('subsetSum', problem))
      return json(result?.output)
    }),

    route(
      '/serialization',
      'Orders',
      ['upstream', 'compute'],
      pick('orders', 'payload', 'seed'),
      ({ orders: count, payload, seed }, context, { accept }) =>
        answers.make('OrdersAnswer', { count, payload, seed }, context, accept),
    ),

    route('/log', 'Lines', LIGHT, pick('count'), ({ count }) => {
      for (let line = 1; line <= count; line++) logger.info('a line of many', { line, of: count })
      return json({ count })
    }),

    route('/io', 'Io', ['upstream'], pick('seed'), async ({ seed }, context) => {
      const content = await readFile(IO_FILE)
      const digest = await deriveKey(content, String(seed), IO_ITERATIONS, 32, 'sha256')
      const [order] = await answers.fetchOrders({ count: 1, payload: 'mixed', seed }, context)
      return json({ seed, digest: digest.toString('hex'), orderId: order?.id })
    }),

    route('/demo', 'Demo', ['upstream', 'compute'], pick('seed'), ({ seed }, context, { accept }) =>
      answers.make('DemoAnswer', { count: DEMO_ORDERS, payload: 'mixed', seed }, context, accept),
    ),

    route('/page', 'Page', ['upstream', 'rendering'], pageParameters, page),

    route('/healthz', 'Health', LIGHT, {}, () => json({ status: 'ok' })),

    route('/readyz', 'Readiness', LIGHT, {}, () => {
      if (!isReady()) throw new Problem('NOT_READY')
      return json({ status: 'ready' })
    }),
  ]
}

type Handle<Table extends OptionTable> = (
  query: Values<Table>,
  context: RequestContext,
  headers: IncomingHttpHeaders,
) => Promise<RouteAnswer> | RouteAnswer

function route<Table extends OptionTable>(
  path: string,
  answer: AnswerOfRoute,
  needs: readonly Need[],
  parameters: Table,
  handle: Handle<Table>,
): ApiRoute {
  const parse = queryParser(parameters)
  return {
    path,
    answer,
    parameters,
    needs,
    handle: (raw, context, headers) => handle(parse(raw), context, headers),
  }
}

function pick<Name extends keyof typeof parameters>(...names: Name[]): Pick<typeof parameters, Name> {
  return Object.fromEntries(names.map(name => [name, parameters[name]])) as Pick<typeof parameters, Name>
}

const json = (value: unknown): RouteAnswer => ({ contentType: JSON_TYPE, body: JSON.stringify(value) })
