import { compactBytes } from '../../../lib/compact.ts'
import type { Order } from '../../../orders/order.ts'
import type { RequestContext } from '../../context.ts'
import { Problem } from '../../problems.ts'
import type { Compute } from '../compute/contract.ts'
import type { Logger } from '../logging/contract.ts'
import type { OrdersClient, OrdersQuery } from '../upstream/contract.ts'
import { beginAnswer, decodeExactly } from './build-answer.ts'
import type { Encoded, Serialization } from './contract.ts'
import { type AnswerName, orderAnswers } from './order-answers.ts'

interface AnswersOptions {
  readonly serialization: Serialization
  readonly compute: Compute
  readonly upstream: OrdersClient
  readonly logger: Logger
}

/** Makes answers from the orders of the upstream, with the serialization of the composition. */
export const createAnswers = ({ serialization, compute, upstream, logger }: AnswersOptions) => ({
  /**
   * @throws Problem UPSTREAM_FAILED when the data does not match the query; errors of the upstream client are thrown on
   */
  async fetchOrders(query: OrdersQuery, context: RequestContext): Promise<readonly Order[]> {
    const data = await upstream.fetchOrders(query, context)
    return expected(() => decodeExactly(serialization, data, query.count))
  },

  /**
   * @param accept the `Accept` header of the client
   * @throws Problem UPSTREAM_FAILED when the data does not match the query; errors of compute and of the upstream
   * client are thrown on
   */
  async make(
    name: AnswerName,
    query: OrdersQuery,
    context: RequestContext,
    accept: string | undefined,
  ): Promise<Encoded> {
    const data = await upstream.fetchOrders(query, context)
    const tasks = orderAnswers[name].tasks(query)
    if (serialization.answersFile) {
      const input = { name, query, data: compactBytes(data), accept }
      return (await compute.answer(context, input, ...tasks)).encoded
    }
    const finish = expected(() => beginAnswer(serialization, { name, query, data, accept }))
    const results = tasks.length > 0 ? await compute.run(context, ...tasks) : []
    return finish(
      results.map(({ output }) => output),
      logger,
    )
  },
})

/** An error while the upstream's answer is read counts as a failure of the upstream. */
function expected<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new Problem('UPSTREAM_FAILED', undefined, error)
  }
}
