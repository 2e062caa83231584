import type { MediaType, Order } from '../../../orders/order.ts'
import type { OrdersQuery } from '../upstream/contract.ts'
import type { AnswerName, Answers } from './order-answers.ts'

/** The data from which an answer is made. */
export interface AnswerInput<Name extends AnswerName = AnswerName> {
  readonly name: Name
  /** The query that was sent to the upstream. */
  readonly query: OrdersQuery
  /** The answer of the upstream, still encoded. */
  readonly data: Uint8Array
  /** The `Accept` header of the client. */
  readonly accept: string | undefined
}

/** Decodes upstream bytes to orders, and encodes orders to response bytes. */
export interface Serialization {
  /** The media type that the app requests from upstream in `Accept`. */
  readonly upstreamType: MediaType
  /**
   * A file that exports `beginAnswer`, for implementations whose answers are made by the workers of compute. Undefined
   * if the main thread makes them.
   */
  readonly answersFile?: string
  /** @throws when the bytes are not of the type `upstreamType` */
  decodeOrders(bytes: Uint8Array): readonly Order[]
  /** @param accept the `Accept` header of the client */
  encode<Name extends AnswerName>(name: Name, value: Answers[Name], accept: string | undefined): Encoded
}

export interface Encoded {
  readonly contentType: string
  readonly body: string | Buffer
}

export type CreateSerialization = () => Serialization

export const JSON_TYPE = 'application/json; charset=utf-8'
