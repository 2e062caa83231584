import type { Logger } from '../logging/contract.ts'
import type { AnswerInput, Encoded, Serialization } from './contract.ts'
import { type AnswerName, orderAnswers } from './order-answers.ts'

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
  const { log, compose } = orderAnswers[name]
  return (outputs, logger) => {
    log(orders, logger)
    return serialization.encode(name, compose(query, orders, outputs), accept)
  }
}

/** @throws when the data cannot be decoded, has another number of orders, or has null for an order */
export function decodeExactly(serialization: Serialization, data: Uint8Array, count: number) {
  const orders = serialization.decodeOrders(data)
  if (orders.length !== count) throw new Error(`${count} orders were asked for, ${orders.length} came`)
  if (orders.some(order => order === null)) throw new Error('an order is null')
  return orders
}
