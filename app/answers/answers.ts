import type { Order, OrdersQuery } from '../../orders/order.ts'
import type { RequestContext } from '../context.ts'
import { type AnswersOptions, beginAnswer, decodeExactly, type MakeAnswer } from './build.ts'
import { makeByWorker } from './by-worker.ts'
import { orderAnswers } from './order-answers.ts'

/** Makes the answers that contain orders, on the main thread or by the workers of compute. */
export const createAnswers = (options: AnswersOptions) => ({
  /**
   * @throws Problem UPSTREAM_FAILED when the data does not match the query; errors of the upstream client are thrown on
   */
  async fetchOrders(query: OrdersQuery, context: RequestContext): Promise<readonly Order[]> {
    const data = await options.upstream.fetchOrders(query, context)
    return decodeExactly(options.serialization, data, query.count)
  },

  make: options.maker && options.compute.answer ? makeByWorker(options) : makeOnMainThread(options),
})

const makeOnMainThread =
  ({ serialization, compute, upstream, logging }: AnswersOptions): MakeAnswer =>
  async (answerQuery, context) => {
    const { name, query } = answerQuery
    const data = await upstream.fetchOrders(query, context)
    const finish = beginAnswer(serialization, answerQuery, data)
    const tasks = orderAnswers[name].tasks(query)
    const results = tasks.length > 0 ? await compute.run(context, ...tasks) : []
    return finish(
      results.map(({ output }) => output),
      logging.logger,
    )
  }
