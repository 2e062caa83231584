import type { Order, OrdersQuery } from '../../orders/order.ts'
import type { RequestContext } from '../context.ts'
import {
  type AnswerQuery,
  type AnswersOptions,
  beginAnswer,
  decodeExactly,
  type MakeAnswer,
} from './build.ts'
import { makeByWorker } from './by-worker.ts'
import { orderAnswers } from './order-answers.ts'

/** Makes the answers that contain orders, on the main thread or by the workers of compute. */
export const createAnswers = (options: AnswersOptions) => ({
  /** Makes an answer on the main thread without its CPU tasks. */
  makeWithoutTasks: makeOnMainThread(options, () => []),

  /**
   * @throws Problem UPSTREAM_FAILED when the data does not match the query; errors of the upstream client are thrown on
   */
  async fetchOrders(query: OrdersQuery, context: RequestContext): Promise<readonly Order[]> {
    const data = await options.upstream.fetchOrders(query, context)
    return decodeExactly(options.serialization, data, query.count)
  },

  make:
    options.maker && options.compute.answer
      ? makeByWorker(options)
      : makeOnMainThread(options, runTasks(options)),
})

/** @returns the outputs of the tasks of an answer */
type RunTasks = (
  query: AnswerQuery,
  context: RequestContext,
) => Promise<readonly unknown[]> | readonly unknown[]

const makeOnMainThread =
  ({ serialization, upstream, logging }: AnswersOptions, run: RunTasks): MakeAnswer =>
  async (query, context) => {
    const data = await upstream.fetchOrders(query.query, context)
    const finish = beginAnswer(serialization, query, data)
    return finish(await run(query, context), logging.logger)
  }

const runTasks =
  ({ compute }: AnswersOptions): RunTasks =>
  async ({ name, query }, context) => {
    const tasks = orderAnswers[name].tasks(query)
    const results = tasks.length > 0 ? await compute.run(context, ...tasks) : []
    return results.map(({ output }) => output)
  }
