import { join } from 'node:path'
import { loggerOf } from '../../lib/telemetry/logger.ts'
import { selectOrders } from '../../orders/catalogue.ts'
import { OrderList } from '../../orders/messages.ts'
import { mediaTypes, type Order, type OrdersQuery, type Payload } from '../../orders/order.ts'
import { subsetSum } from '../../workers/subset-sum.ts'
import { createCompute } from '../concerns/compute/inline.ts'
import { type Implementation, implementations } from '../concerns.ts'
import { type Closing, newContext } from '../test-options.fixture.ts'
import { answerOnMainThread } from './answers.ts'
import type { AnswerName, AnswerValues } from './order-answers.ts'

const TASKS = join(import.meta.dirname, '../../workers/tasks.fixture.ts')

/** An order with text that has to be escaped and numbers that lose precision easily. */
export const awkward: Order = {
  id: 0,
  details: { customer: '"\\\n\u2028', product: '</script>', city: 'שלום', status: '👩‍🚀', placedAt: '' },
  amounts: { quantity: 0, unitPrice: 0, discount: 1e-7, tax: 123456789.01, total: -0.5 },
}

/** Encodes orders as the upstream does, by media type. */
export const encodeUpstream = {
  [mediaTypes.json]: (orders: readonly Order[]) => Buffer.from(JSON.stringify({ orders })),
  [mediaTypes.protobuf]: (orders: readonly Order[]) => Buffer.from(OrderList.encode({ orders }).finish()),
}

/** The answer of the upstream: these orders, or bytes; undefined selects orders of the catalogue. */
type Sent = readonly Order[] | Buffer<ArrayBuffer> | undefined

interface Making {
  readonly sent: Sent
  readonly accept: string
}

/** Starts an implementation, and answers on the main thread. */
export async function start(t: Closing, name: Implementation<'serialization'>) {
  const logger = loggerOf(() => () => {})
  const { createSerialization } = await implementations.serialization[name]()
  const serialization = createSerialization()
  const compute = await createCompute({ tasksFile: TASKS, logger })
  t.after(() => compute.close())
  const send = (sent: Sent, { count, payload, seed }: OrdersQuery) =>
    Buffer.isBuffer(sent)
      ? sent
      : encodeUpstream[serialization.upstreamType](sent ?? selectOrders(count, payload, seed))
  const make = (name: AnswerName, query: OrdersQuery, { sent, accept }: Partial<Making> = {}) => {
    const client = { fetchOrders: async () => send(sent, query) }
    const answer = answerOnMainThread({ serialization, compute, client, logger })
    return answer({ name, query, accept }, newContext())
  }
  return { make }
}

export const queryOf = (count: number, payload: Payload = 'mixed', seed = 1): OrdersQuery => ({
  count,
  payload,
  seed,
})

export function demoOf(orders: readonly Order[], seed = 1): AnswerValues['DemoAnswer'] {
  return { seed, tasks: [13, 8].map(size => subsetSum.run({ size, seed })), orders }
}
