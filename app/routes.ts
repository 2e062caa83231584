import { pbkdf2 } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { choice, integer, words } from '../lib/cli/options.ts'
import { seedParameter } from '../lib/seed.ts'
import { MAX_ORDERS, payloads } from '../orders/order.ts'
import { type TaskName, taskNames, taskTable } from '../workers/tasks.ts'
import { type AnswersOptions, answerOnMainThread, decodeExactly } from './answers/answers.ts'
import { demoQuery, orderAnswers } from './answers/order-answers.ts'
import type { Compute } from './concerns/compute/contract.ts'
import type { Logging } from './concerns/logging/contract.ts'
import { JSON_TYPE } from './concerns/serialization/contract.ts'
import type { Upstream } from './concerns/upstream/contract.ts'
import type { HandlePage } from './pages/page-handler.ts'
import { sorts, themes } from './pages/view/query.ts'
import { Problem } from './problems.ts'
import { type ApiRoute, type RouteAnswer, route } from './route.ts'
import { describeJson, describeObject, describeOrders } from './server/describe-answer.ts'
import { degradedHeaders } from './server/overload/degraded.ts'

/** The concerns of the composition, with which the routes work. */
export interface RoutesOptions extends Omit<AnswersOptions, 'logger' | 'compute'> {
  readonly compute: Pick<Compute, 'run'>
  readonly upstream: Upstream
  readonly logging: Pick<Logging, 'logger'>
  readonly page: HandlePage
  /** Whether load balancers should send requests to this process. */
  isReady(): boolean
  /** The processes beside the app that are down for a longer time. */
  missing(): readonly string[]
}

/** The parameters of `/serialization`, which select orders of the upstream. */
const ordersParameters = {
  orders: integer({ min: 0, max: MAX_ORDERS, default: '15', help: 'how many orders' }),
  payload: choice({
    choices: payloads,
    default: 'mixed',
    help: 'which fields of an order: strings, numbers or both',
  }),
  seed: seedParameter,
} as const

/** The parameters of `/page`, which are the fields of its form. */
const pageParameters = {
  seed: seedParameter,
  orders: { ...ordersParameters.orders, default: '200' },
  search: words({ max: 100, help: 'only orders with this text' }),
  status: words({ max: 100, help: 'only orders of this status' }),
  sort: choice({ choices: sorts, default: 'placed', help: 'which orders come first' }),
  theme: choice({ choices: themes, default: 'auto', help: 'light or dark' }),
} as const

const deriveKey = promisify(pbkdf2)

/** The file that `/io` reads and digests. */
export const IO_FILE = join(import.meta.dirname, '../orders/orders.proto')
export const IO_ITERATIONS = 1000

/** Creates the routes, independent of the framework. Each answer is a pure function of the query. */
export function createRoutes({ page, isReady, missing, ...options }: RoutesOptions): ApiRoute[] {
  const { compute, client, serialization, upstream } = options
  const { logger } = options.logging
  const answerWithoutTasks = answerOnMainThread({ ...options, logger, compute: { run: async () => [] } })

  return [
    route('/hello', {
      answer: describeObject('A constant', { hello: { const: 'world' } }),
      parameters: {},
      handle: () => json({ hello: 'world' }),
    }),

    ...taskNames.map(name => taskRoute(name, compute)),

    route('/serialization', {
      answer: describeOrders(orderAnswers.OrdersAnswer),
      needs: ['compute', 'upstream'],
      parameters: ordersParameters,
      handle: ({ orders: count, payload, seed }, context, { accept }) =>
        upstream.answerOrders({ name: 'OrdersAnswer', query: { count, payload, seed }, accept }, context),
    }),

    route('/log', {
      answer: describeObject('Log lines were written', { count: { type: 'integer' } }),
      parameters: {
        count: integer({ min: 0, max: 1000, default: '10', help: 'how many lines' }),
        fields: integer({ min: 1, max: 20, default: '2', help: 'how many fields each line has' }),
        objectKib: integer({ min: 0, max: 64, default: '0', help: 'size of an object in each line' }),
      },
      handle({ count, fields, objectKib }) {
        const others = otherFields(fields, objectKib, count)
        for (let line = 1; line <= count; line++) logger.info('a line of many', { line, ...others })
        return json({ count })
      },
    }),

    route('/io', {
      answer: describeObject('A file, a key derivation and a call upstream', {
        seed: { type: 'integer' },
        digest: { type: 'string' },
        orderId: { type: 'integer' },
      }),
      needs: ['upstream'],
      parameters: { seed: seedParameter },
      async handle({ seed }, context) {
        const content = await readFile(IO_FILE)
        const digest = await deriveKey(content, String(seed), IO_ITERATIONS, 32, 'sha256')
        const data = await client.fetchOrders({ count: 1, payload: 'mixed', seed }, context)
        const [order] = decodeExactly(serialization, data, 1)
        return json({ seed, digest: digest.toString('hex'), orderId: order?.id })
      },
    }),

    route('/demo', {
      answer: describeOrders(orderAnswers.DemoAnswer),
      needs: ['compute', 'upstream'],
      parameters: { seed: seedParameter },
      handle: ({ seed }, context, { accept }) =>
        upstream.answerOrders({ name: 'DemoAnswer', query: demoQuery(seed), accept }, context),
      async handleDegraded({ seed }, context, { accept }) {
        const query = { name: 'DemoAnswer', query: demoQuery(seed), accept } as const
        return { ...(await answerWithoutTasks(query, context)), headers: degradedHeaders }
      },
    }),

    route('/page', {
      answer: { summary: 'The page, rendered on the server', content: { 'text/html': { type: 'string' } } },
      needs: ['upstream', 'rendering'],
      parameters: pageParameters,
      handle: page,
    }),

    route('/healthz', {
      answer: describeObject('It runs', { status: { const: 'ok' } }),
      parameters: {},
      handle: () => json({ status: 'ok' }),
    }),

    route('/readyz', {
      answer: describeObject(
        'Requests may be sent here; what needs a missing process fails, or is dropped and counted',
        {
          status: { enum: ['ready', 'degraded'] },
          missing: { type: 'array', items: { type: 'string' } },
        },
      ),
      parameters: {},
      handle() {
        if (!isReady()) throw new Problem('NOT_READY')
        const names = missing()
        return json({ status: names.length === 0 ? 'ready' : 'degraded', missing: names })
      },
    }),
  ]
}

/** The route of a CPU task: its query is the input of the task, and its answer the output. */
function taskRoute(name: TaskName, compute: Pick<Compute, 'run'>): ApiRoute {
  const { path, summary, parameters, output } = taskTable[name]
  return route(path, {
    answer: describeJson(summary, output),
    needs: ['compute'],
    parameters,
    async handle(input, context) {
      const [result] = await compute.run(context, { name, input })
      return json(result?.output)
    },
  })
}

/** The fields of a log line beside its number. */
function otherFields(fields: number, objectKib: number, of: number): Record<string, unknown> {
  const rest = Array.from({ length: Math.max(0, fields - 2) }, (_, at) => [
    `field${at + 3}`,
    `value ${at + 3}`,
  ])
  return {
    ...(fields > 1 && { of }),
    ...Object.fromEntries(rest),
    ...(objectKib > 0 && { object: objectOf(objectKib) }),
  }
}

/** An object whose JSON has about this many KiB: items of 64 bytes. */
const objectOf = (kib: number) => ({
  items: Array.from({ length: kib * 16 }, (_, id) => ({
    id,
    name: 'an item with some text',
    price: 12.5,
    isNew: true,
  })),
})

const json = (value: unknown): RouteAnswer => ({ contentType: JSON_TYPE, body: JSON.stringify(value) })
