import { type Task, task } from '../../../workers/tasks.ts'
import type { OrdersQuery } from '../../upstream/orders-client.ts'
import type { Logger } from '../logging/contract.ts'
import type { AnswerInput, AnswerName, Answers, Encoded, Serialization } from './contract.ts'

/** The steps that make an answer from the upstream data, wherever they run. */
interface Builder<Name extends AnswerName> {
  /** The tasks that the answer needs. */
  tasks(query: OrdersQuery): readonly Task[]
  /** Writes the log lines of the answer. */
  log(orders: Answers[Name]['orders'], logger: Pick<Logger, 'info'>): void
  /** @param outputs the outputs of the tasks, in their order */
  compose(query: OrdersQuery, orders: Answers[Name]['orders'], outputs: readonly unknown[]): Answers[Name]
}

const DEMO_LOG_LINES = 10

const builders: { readonly [Name in AnswerName]: Builder<Name> } = {
  OrdersAnswer: {
    tasks: () => [],
    log() {},
    compose: ({ seed, payload }, orders) => ({ seed, payload, orders }),
  },
  DemoAnswer: {
    tasks: ({ seed }) => [task('subsetSum', { size: 13, seed }), task('subsetSum', { size: 8, seed })],
    log(orders, logger) {
      for (const { id, details, amounts } of orders.slice(0, DEMO_LOG_LINES)) {
        logger.info('order read', { orderId: id, status: details?.status, total: amounts?.total })
      }
    },
    compose: ({ seed }, orders, outputs) => ({
      seed,
      tasks: outputs as Answers['DemoAnswer']['tasks'],
      orders,
    }),
  },
}

export const tasksFor = (name: AnswerName, query: OrdersQuery): readonly Task[] => builders[name].tasks(query)

/** Finishes an answer whose orders are decoded: it writes the log lines and encodes the answer. */
type FinishAnswer = (outputs: readonly unknown[], logger: Pick<Logger, 'info'>) => Encoded

/**
 * Decodes the upstream data.
 * @returns a function that finishes the answer once its tasks are done
 * @throws when the data does not match the query
 */
export function beginAnswer<Name extends AnswerName>(
  serialization: Serialization,
  { name, query, data, accept }: AnswerInput<Name>,
): FinishAnswer {
  const orders = decodeExactly(serialization, data, query.count)
  const builder = builders[name]
  return (outputs, logger) => {
    builder.log(orders, logger)
    return serialization.encode(name, builder.compose(query, orders, outputs), accept)
  }
}

/** @throws when the data cannot be decoded or has another number of orders */
export function decodeExactly(serialization: Serialization, data: Uint8Array, count: number) {
  const orders = serialization.decodeOrders(data)
  if (orders.length !== count) throw new Error(`${count} orders were asked for, ${orders.length} came`)
  return orders
}
