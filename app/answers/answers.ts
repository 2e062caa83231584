import type { Logger } from '../../lib/telemetry/logger.ts'
import type { Compute } from '../concerns/compute/contract.ts'
import type { Serialization } from '../concerns/serialization/contract.ts'
import type { OrdersClient } from '../concerns/upstream/orders-client.ts'
import { decodeUpstream } from '../problems.ts'
import { type AnswerOrders, orderAnswers } from './order-answers.ts'

export interface AnswersOptions {
  readonly client: Pick<OrdersClient, 'fetchOrders'>
  readonly serialization: Serialization
  readonly compute: Pick<Compute, 'run'>
  readonly logger: Logger
}

/** Makes the answers that contain orders, and their log lines, on the main thread. Compute decides where their tasks run. */
export const answerOnMainThread =
  ({ client, serialization, compute, logger }: AnswersOptions): AnswerOrders =>
  async ({ name, query, accept }, context) => {
    const { tasks, log, compose } = orderAnswers[name]
    const fetched = await client.fetchOrders(query, context)
    const orders = decodeUpstream(() => serialization.decodeOrders(fetched), query.count)
    const results = await compute.run(context, ...tasks(query))
    const outputs = results.map(({ output }) => output)
    log(orders, logger)
    return serialization.encode(name, compose(query, orders, outputs), accept)
  }
