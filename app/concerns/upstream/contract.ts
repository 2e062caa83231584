import type { AnswersOptions } from '../../answers/answers.ts'
import type { AnswerOrders } from '../../answers/order-answers.ts'
import type { PageData, PageRequest } from '../../pages/page-data.ts'
import type { ClientOptions, OrdersClient } from './orders-client.ts'

/** Fetches what requests need. Who makes an answer or a page fetches its data. */
export interface Upstream {
  answerOrders: AnswerOrders
  /** Begins both calls for a page. */
  fetchPage(request: PageRequest): PageData
}

export type CreateUpstream<Options = UpstreamOptions, Made = Upstream> = (options: Options) => Promise<Made>

export interface UpstreamOptions extends AnswersOptions {
  readonly client: OrdersClient
  readonly clientOptions: ClientOptions
}
