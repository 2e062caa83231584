import { choice, integer } from '../../lib/cli/options.ts'
import { seedParameter } from '../../lib/random.ts'
import { MAX_ORDERS, payloads } from '../../orders/order.ts'
import type { Logging } from '../concerns/logging/contract.ts'
import type { Upstream } from '../concerns/upstream/contract.ts'
import { Problem } from '../problems.ts'
import { type Route, route } from '../route.ts'
import { json } from '../routes.ts'
import { needs } from './overload/admission.ts'

interface OtherRoutesOptions {
  readonly upstream: Upstream
  readonly logging: Pick<Logging, 'logger'>
  /** Whether load balancers should send requests to this process. */
  isReady(): boolean
}

const ordersParameters = {
  orders: integer({ min: 0, max: MAX_ORDERS, default: '15', help: 'how many orders' }),
  payload: choice({
    choices: payloads,
    default: 'mixed',
    help: 'which fields of an order: strings, numbers or both',
  }),
  seed: seedParameter,
} as const

/** The routes that isolate one concern each, and `/readyz`. */
export function createOtherRoutes({ upstream, logging, isReady }: OtherRoutesOptions): Route[] {
  const { logger } = logging
  return [
    route('/serialization', {
      needs: needs.orders,
      parameters: ordersParameters,
      handle: ({ orders: count, payload, seed }, context, { accept }) =>
        upstream.answerOrders({ name: 'OrdersAnswer', query: { count, payload, seed }, accept }, context),
    }),

    route('/log', {
      parameters: {
        count: integer({ min: 0, max: 1000, default: '10', help: 'how many lines' }),
      },
      handle({ count }) {
        for (let line = 1; line <= count; line++) logger.info('a line of many', { line, of: count })
        return json({ count })
      },
    }),

    route('/readyz', {
      parameters: {},
      handle() {
        if (!isReady()) throw new Problem('NOT_READY')
        return json({ status: 'ready' })
      },
    }),
  ]
}
