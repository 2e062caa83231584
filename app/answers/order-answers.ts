import { record } from '../../lib/record.ts'
import type { Logger } from '../../lib/telemetry/logger.ts'
import type { Order, OrdersQuery } from '../../orders/order.ts'
import type { Outputs, Task } from '../../workers/tasks.ts'
import type { RequestContext } from '../context.ts'
import type { Encoded } from '../route.ts'
import { otherAnswers } from '../server/additions.ts'

/** An answer that contains orders. The main thread makes it, or the worker that runs its tasks. */
interface OrderAnswer<Answer extends object> {
  tasks(query: OrdersQuery): readonly Task[]
  log(orders: readonly Order[], logger: Pick<Logger, 'info'>): void
  /** @param outputs the outputs of the tasks, in their order */
  compose(query: OrdersQuery, orders: readonly Order[], outputs: readonly unknown[]): Answer
}

const DEMO_LOG_LINES = 10

export const demoQuery = (seed: number): OrdersQuery => ({ count: 15, payload: 'mixed', seed })

/** The request of the talk. Its type, its schema, its route and the load test's check of its body follow from here. */
const DemoAnswer = {
  tasks: ({ seed }: OrdersQuery) =>
    [13, 8].map(size => ({ name: 'subsetSum', input: { size, seed } }) as const),
  log(orders: readonly Order[], logger: Pick<Logger, 'info'>) {
    for (const { id, details, amounts } of orders.slice(0, DEMO_LOG_LINES)) {
      logger.info('order read', { orderId: id, status: details?.status, total: amounts?.total })
    }
  },
  compose: ({ seed }: OrdersQuery, orders: readonly Order[], outputs: readonly unknown[]) => ({
    seed,
    tasks: outputs as Outputs<'subsetSum'>,
    orders,
  }),
} as const

const table = {
  DemoAnswer,
  ...otherAnswers,
}

export type AnswerName = keyof typeof table
/** The answers before they are encoded. */
export type AnswerValues = { readonly [Name in AnswerName]: ReturnType<(typeof table)[Name]['compose']> }

/** The answers that contain orders, by the name of their Protobuf message, which has the same fields. */
export const orderAnswers: { readonly [Name in AnswerName]: OrderAnswer<AnswerValues[Name]> } = table

export interface AnswerQuery<Name extends AnswerName = AnswerName> {
  readonly name: Name
  /** The query that is sent to the upstream. */
  readonly query: OrdersQuery
  readonly accept: string | undefined
}

/**
 * Answers a query.
 * @throws Problem UPSTREAM_FAILED when the data does not match the query; what the fetch and the tasks throw
 */
export type AnswerOrders = (query: AnswerQuery, context: RequestContext) => Promise<Encoded>

export const forEachAnswer = <Value>(make: (name: AnswerName) => Value) =>
  record(Object.keys(table) as AnswerName[], make)
