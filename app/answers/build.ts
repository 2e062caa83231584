import type { Logger } from '../../lib/telemetry/logger.ts'
import type { OrdersQuery } from '../../orders/order.ts'
import type { Encoded } from '../../workers/job.ts'
import type { Compute } from '../concerns/compute/contract.ts'
import type { Logging } from '../concerns/logging/contract.ts'
import type { Serialization } from '../concerns/serialization/contract.ts'
import type { Upstream } from '../concerns/upstream/contract.ts'
import type { RequestContext } from '../context.ts'
import { Problem } from '../problems.ts'
import type { AnsweringConcern } from './makers.ts'
import { type AnswerName, orderAnswers } from './order-answers.ts'

/** The answer that a client asks for. */
export interface AnswerQuery<Name extends AnswerName = AnswerName> {
  readonly name: Name
  /** The query that is sent to the upstream. */
  readonly query: OrdersQuery
  /** The `Accept` header of the client. */
  readonly accept: string | undefined
}

export interface AnswersOptions {
  readonly serialization: Serialization
  readonly compute: Compute
  readonly upstream: Pick<Upstream, 'fetchOrders' | 'inThreads'>
  readonly logging: Pick<Logging, 'logger' | 'takeLines'>
  /** Makes answers in the workers of compute; undefined if the main thread makes them. */
  readonly maker: AnsweringConcern | undefined
}

/**
 * Makes an answer in the place where its data is.
 * @throws Problem UPSTREAM_FAILED when the data does not match the query; errors of compute and of the upstream client
 * are thrown on
 */
export type MakeAnswer = (query: AnswerQuery, context: RequestContext) => Promise<Encoded>

/**
 * Decodes the upstream data.
 * @param data what the upstream has sent, still encoded
 * @returns a function that finishes the answer once its tasks are done: it writes the log lines and encodes the answer
 * @throws Problem UPSTREAM_FAILED when the data does not match the query
 */
export function beginAnswer(
  serialization: Serialization,
  { name, query, accept }: AnswerQuery,
  data: Uint8Array,
) {
  const orders = decodeExactly(serialization, data, query.count)
  const { log, compose } = orderAnswers[name]
  return (outputs: readonly unknown[], logger: Pick<Logger, 'info'>): Encoded => {
    log(orders, logger)
    return serialization.encode(name, compose(query, orders, outputs), accept)
  }
}

/** @throws Problem UPSTREAM_FAILED when the data cannot be decoded, or are not this number of orders */
export function decodeExactly(serialization: Serialization, data: Uint8Array, count: number) {
  try {
    const orders = serialization.decodeOrders(data)
    if (orders.length !== count) throw new Error(`${count} orders were asked for, ${orders.length} came`)
    if (orders.some(order => order === null)) throw new Error('an order is null')
    return orders
  } catch (error) {
    throw new Problem('UPSTREAM_FAILED', undefined, error)
  }
}
