import type { MediaType, Order, OrdersQuery } from '../../../orders/order.ts'
import type { RequestContext } from '../../context.ts'
import type { AnswerName, Answers } from './order-answers.ts'

/** The request for an answer. */
export interface AnswerQuery<Name extends AnswerName = AnswerName> {
  readonly name: Name
  /** The query that is sent to the upstream. */
  readonly query: OrdersQuery
  /** The `Accept` header of the client. */
  readonly accept: string | undefined
}

/** The data from which an answer is made. */
export interface AnswerInput<Name extends AnswerName = AnswerName> extends AnswerQuery<Name> {
  /** The answer of the upstream, still encoded. */
  readonly data: Uint8Array
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

/**
 * Makes an answer in the place where its data is.
 * @throws Problem UPSTREAM_FAILED when the data does not match the query; errors of compute and of the upstream client
 * are thrown on
 */
export type MakeAnswer = (answerQuery: AnswerQuery, context: RequestContext) => Promise<Encoded>

export type CreateSerialization = () => Serialization

export const JSON_TYPE = 'application/json; charset=utf-8'
