import { choice, integer, words } from '../lib/cli/options.ts'
import { seedParameter } from '../lib/random.ts'
import { MAX_ORDERS } from '../orders/order.ts'
import { type TaskName, taskNames, taskTable } from '../workers/tasks.ts'
import { demoQuery } from './answers/order-answers.ts'
import type { Compute } from './concerns/compute/contract.ts'
import { JSON_TYPE } from './concerns/serialization/contract.ts'
import type { Upstream } from './concerns/upstream/contract.ts'
import { type PageQuery, sorts } from './pages/view/data.ts'
import { type Handle, type Route, type RouteAnswer, route } from './route.ts'
import { needs } from './server/overload/admission.ts'

export interface RoutesOptions {
  readonly compute: Pick<Compute, 'run'>
  readonly upstream: Upstream
  readonly page: Handle<PageQuery>
}

/** The parameters of `/page`, which are the fields of its form. */
const pageParameters = {
  seed: seedParameter,
  orders: integer({ min: 0, max: MAX_ORDERS, default: '200', help: 'how many orders' }),
  search: words({ max: 100, help: 'only orders with this text' }),
  status: words({ max: 100, help: 'only orders of this status' }),
  sort: choice({ choices: sorts, default: 'placed', help: 'which orders come first' }),
} as const

/** Creates the routes, independent of the framework. Each answer is a pure function of the query. */
export function createRoutes(options: RoutesOptions): Route[] {
  const { compute, upstream, page } = options

  return [
    route('/hello', {
      parameters: {},
      handle: () => json({ hello: 'world' }),
    }),

    ...taskNames.map(name => taskRoute(name, compute)),

    route('/demo', {
      needs: needs.orders,
      parameters: { seed: seedParameter },
      handle: ({ seed }, context, { accept }) =>
        upstream.answerOrders({ name: 'DemoAnswer', query: demoQuery(seed), accept }, context),
    }),

    route('/page', {
      needs: needs.page,
      parameters: pageParameters,
      handle: page,
    }),

    route('/healthz', {
      parameters: {},
      handle: () => json({ status: 'ok' }),
    }),
  ]
}

/** The route of a CPU task: its query is the input of the task, and its answer the output. */
function taskRoute(name: TaskName, compute: Pick<Compute, 'run'>): Route {
  const { path, parameters } = taskTable[name]
  return route(path, {
    needs: needs.task,
    parameters,
    async handle(input, context) {
      const [result] = await compute.run(context, { name, input })
      return json(result?.output)
    },
  })
}

export const json = (value: unknown): RouteAnswer => ({ contentType: JSON_TYPE, body: JSON.stringify(value) })
