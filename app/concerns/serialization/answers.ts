import { compactBytes } from '../../../lib/threads/compact.ts'
import type { Order, OrdersQuery } from '../../../orders/order.ts'
import type { RequestContext } from '../../context.ts'
import { Problem } from '../../problems.ts'
import type { Compute } from '../compute/contract.ts'
import type { Logging } from '../logging/contract.ts'
import type { Upstream } from '../upstream/contract.ts'
import { beginAnswer, decodeExactly } from './build-answer.ts'
import type { MakeAnswer, Serialization } from './contract.ts'
import { orderAnswers } from './order-answers.ts'

interface AnswersOptions {
  readonly serialization: Serialization
  readonly compute: Compute
  readonly upstream: Pick<Upstream, 'fetchOrders' | 'inThreads'>
  readonly logging: Pick<Logging, 'logger' | 'takeLines'>
}

/** Makes answers from the orders of the upstream, with the serialization of the composition. */
export const createAnswers = ({ serialization, compute, upstream, logging }: AnswersOptions) => ({
  /**
   * @throws Problem UPSTREAM_FAILED when the data does not match the query; errors of the upstream client are thrown on
   */
  async fetchOrders(query: OrdersQuery, context: RequestContext): Promise<readonly Order[]> {
    const data = await upstream.fetchOrders(query, context)
    return expected(() => decodeExactly(serialization, data, query.count))
  },

  make: makerOf({ serialization, compute, upstream, logging }),
})

function makerOf({ serialization, compute, upstream, logging }: AnswersOptions): MakeAnswer {
  const { serve } = compute
  if (upstream.inThreads && serve) return upstream.inThreads.answers(serve, logging)

  return async (answerQuery, context) => {
    const { name, query } = answerQuery
    const data = await upstream.fetchOrders(query, context)
    const tasks = orderAnswers[name].tasks(query)
    if (serialization.answersFile) {
      const input = { ...answerQuery, data: compactBytes(data) }
      return (await compute.answer(context, input, ...tasks)).encoded
    }
    const finish = expected(() => beginAnswer(serialization, { ...answerQuery, data }))
    const results = tasks.length > 0 ? await compute.run(context, ...tasks) : []
    return finish(
      results.map(({ output }) => output),
      logging.logger,
    )
  }
}

/** An error while the upstream's answer is read counts as a failure of the upstream. */
function expected<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new Problem('UPSTREAM_FAILED', undefined, error)
  }
}
