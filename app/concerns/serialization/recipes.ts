import { type Task, task } from '../../../workers/tasks.ts'
import type { OrdersQuery } from '../../upstream/orders-client.ts'
import type { Logger } from '../logging/contract.ts'
import type { AnswerInput, AnswerName, Answers, Encoded, Serialization } from './contract.ts'

/** How an answer is made of what upstream sent, wherever that is done. */
interface Recipe<Name extends AnswerName> {
  /** What has to be computed for it. */
  tasks(query: OrdersQuery): readonly Task[]
  /** Writes the lines that belong to it. */
  log(orders: Answers[Name]['orders'], logger: Pick<Logger, 'info'>): void
  /** @param outputs what the tasks answered */
  compose(query: OrdersQuery, orders: Answers[Name]['orders'], outputs: readonly unknown[]): Answers[Name]
}

const DEMO_LOG_LINES = 10

const recipes: { readonly [Name in AnswerName]: Recipe<Name> } = {
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

export const tasksFor = (name: AnswerName, query: OrdersQuery): readonly Task[] => recipes[name].tasks(query)

/** Makes the rest of an answer whose orders are decoded: its log lines, and its encoding. */
type FinishAnswer = (outputs: readonly unknown[], logger: Pick<Logger, 'info'>) => Encoded

/**
 * Decodes what upstream sent.
 * @returns what makes the rest, once the answer's tasks are done
 * @throws when that is not what upstream was asked for
 */
export function beginAnswer<Name extends AnswerName>(
  serialization: Serialization,
  { name, query, data, accept }: AnswerInput<Name>,
): FinishAnswer {
  const orders = decodeExactly(serialization, data, query.count)
  const recipe = recipes[name]
  return (outputs, logger) => {
    recipe.log(orders, logger)
    return serialization.encode(name, recipe.compose(query, orders, outputs), accept)
  }
}

/** @throws when upstream sent something else, or another number of orders */
export function decodeExactly(serialization: Serialization, data: Uint8Array, count: number) {
  const orders = serialization.decodeOrders(data)
  if (orders.length !== count) throw new Error(`${count} orders were asked for, ${orders.length} came`)
  return orders
}
