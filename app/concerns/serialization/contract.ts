import type { MediaType, Order, Payload } from '../../../orders/order.ts'
import type { SubsetSum } from '../../../workers/subset-sum.ts'
import type { OrdersQuery } from '../../upstream/orders-client.ts'

/** The answers that carry orders, by the name of their message. */
export interface Answers {
  readonly OrdersAnswer: {
    readonly seed: number
    readonly payload: Payload
    readonly orders: readonly Order[]
  }
  readonly DemoAnswer: {
    readonly seed: number
    readonly tasks: readonly SubsetSum[]
    readonly orders: readonly Order[]
  }
}

export type AnswerName = keyof Answers

/** What an answer is made of. */
export interface AnswerInput<Name extends AnswerName = AnswerName> {
  readonly name: Name
  /** What upstream was asked for. */
  readonly query: OrdersQuery
  /** What it sent, undecoded. */
  readonly data: Uint8Array
  /** The client's `Accept` header. */
  readonly accept: string | undefined
}

/** Upstream bytes to orders, orders to response bytes. */
export interface Serialization {
  /** What to ask of upstream in `Accept`. */
  readonly upstreamType: MediaType
  /**
   * A file that exports `beginAnswer`, for compute's workers, where they are to make the answers; undefined where the main
   * thread makes them.
   */
  readonly answersFile?: string
  /** @throws when the bytes are not what `upstreamType` promises */
  decodeOrders(bytes: Uint8Array): readonly Order[]
  /** @param accept the client's `Accept` header */
  encode<Name extends AnswerName>(name: Name, value: Answers[Name], accept: string | undefined): Encoded
}

export interface Encoded {
  readonly contentType: string
  readonly body: string | Buffer
}

export type CreateSerialization = () => Serialization

export const JSON_TYPE = 'application/json; charset=utf-8'
