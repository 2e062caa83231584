import { pbkdf2 } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { choice, integer } from '../../lib/cli/options.ts'
import { seedParameter } from '../../lib/random.ts'
import { MAX_ORDERS, payloads } from '../../orders/order.ts'
import { type AnswersOptions, decodeExactly } from '../answers/answers.ts'
import type { Logging } from '../concerns/logging/contract.ts'
import type { Upstream } from '../concerns/upstream/contract.ts'
import { Problem } from '../problems.ts'
import { type Route, route } from '../route.ts'
import { json } from '../routes.ts'
import { needs } from './overload/admission.ts'

export interface OtherRoutesOptions extends Pick<AnswersOptions, 'client' | 'serialization'> {
  readonly upstream: Upstream
  readonly logging: Pick<Logging, 'logger'>
  /** Whether load balancers should send requests to this process. */
  isReady(): boolean
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

const deriveKey = promisify(pbkdf2)

/** The file that `/io` reads and digests. */
export const IO_FILE = join(import.meta.dirname, '../../orders/orders.proto')
export const IO_ITERATIONS = 1000

/** The routes that isolate one concern each, and `/readyz`. */
export function createOtherRoutes({
  client,
  serialization,
  upstream,
  logging: { logger },
  isReady,
}: OtherRoutesOptions): Route[] {
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

    route('/io', {
      needs: needs.io,
      parameters: { seed: seedParameter },
      async handle({ seed }, context) {
        const content = await readFile(IO_FILE)
        const digest = await deriveKey(content, String(seed), IO_ITERATIONS, 32, 'sha256')
        const data = await client.fetchOrders({ count: 1, payload: 'mixed', seed }, context)
        const [order] = decodeExactly(serialization, data, 1)
        return json({ seed, digest: digest.toString('hex'), orderId: order?.id })
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
