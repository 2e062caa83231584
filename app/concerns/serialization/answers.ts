import { compactBytes } from '../../../lib/compact.ts'
import type { Order } from '../../../orders/order.ts'
import type { RequestContext } from '../../context.ts'
import { Problem } from '../../problems.ts'
import type { OrdersClient, OrdersQuery } from '../../upstream/orders-client.ts'
import type { Compute } from '../compute/contract.ts'
import type { Logger } from '../logging/contract.ts'
import type { AnswerName, Encoded, Serialization } from './contract.ts'
import { beginAnswer, decodeExactly, tasksFor } from './recipes.ts'

interface AnswersOptions {
  readonly serialization: Serialization
  readonly compute: Compute
  readonly upstream: OrdersClient
  readonly logger: Logger
}

/** Answers that are made of the upstream's orders, as the serialization of the composition makes them. */
export const createAnswers = ({ serialization, compute, upstream, logger }: AnswersOptions) => ({
  /** @throws Problem UPSTREAM_FAILED when what came are not these orders, and what the client of upstream throws */
  async fetchOrders(query: OrdersQuery, context: RequestContext): Promise<readonly Order[]> {
    const data = await upstream.fetchOrders(query, context)
    return expected(() => decodeExactly(serialization, data, query.count))
  },

  /**
   * @param accept the client's `Accept` header
   * @throws Problem UPSTREAM_FAILED when what came are not these orders, and what compute and the client of upstream throw
   */
  async make(
    name: AnswerName,
    query: OrdersQuery,
    context: RequestContext,
    accept: string | undefined,
  ): Promise<Encoded> {
    const data = await upstream.fetchOrders(query, context)
    const tasks = tasksFor(name, query)
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

/** What reading the upstream's answer throws is the upstream's failure. */
function expected<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new Problem('UPSTREAM_FAILED', undefined, error)
  }
}
