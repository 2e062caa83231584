import type { MediaType, Order } from '../../../orders/order.ts'
import type { AnswerName, AnswerValues } from '../../answers/order-answers.ts'
import type { Encoded } from '../../route.ts'

/** Decodes upstream bytes to orders, and encodes orders to response bytes. */
export interface Serialization {
  /** The media type that the app requests from upstream in `Accept`. */
  readonly upstreamType: MediaType
  /** @throws when the bytes are not of the type `upstreamType` */
  decodeOrders(bytes: Uint8Array): readonly Order[]
  /** @param accept the `Accept` header of the client */
  encode<Name extends AnswerName>(name: Name, value: AnswerValues[Name], accept: string | undefined): Encoded
}

export type CreateSerialization = () => Serialization

export const JSON_TYPE = 'application/json; charset=utf-8'
