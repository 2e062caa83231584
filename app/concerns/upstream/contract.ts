import type { AnswersOptions } from '../../answers/answers.ts'
import type { AnswerOrders } from '../../answers/order-answers.ts'
import type { PageSource } from '../../pages/sources.ts'
import type { ClientOptions, OrdersClient } from './orders-client.ts'

/** Fetches what requests need. Who makes an answer or a page fetches its data. */
export interface Upstream {
  answerOrders: AnswerOrders
  /** The page, and how it gets its data. */
  readonly page: PageSource
}

export type CreateUpstream<Options = UpstreamOptions, Made = Upstream> = (options: Options) => Promise<Made>

export interface UpstreamOptions extends AnswersOptions {
  /** The client of the main thread. */
  readonly client: OrdersClient
  readonly clientOptions: ClientOptions
  /** The file of the page, a `PageModule`. */
  readonly pageFile: string
}
