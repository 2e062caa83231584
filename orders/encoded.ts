import { selectOrders, selectPositions } from './catalogue.ts'
import { OrderList } from './messages.ts'
import { MAX_ORDERS, type Order, type Payload, payloads } from './order.ts'

/** Answers for `count` orders from `seed` on. */
export type Encode = (count: number, payload: Payload, seed: number) => Buffer

/**
 * Answers are put together from orders that were encoded once, so that the upstream takes next to no CPU time from
 * what is measured. Protobuf allows it too: the encodings of two lists, one after the other, encode both lists' orders.
 */
export const encodeJson: Encode = joinEncoded(
  order => JSON.stringify(order),
  pieces => Buffer.from(`{"orders":[${pieces.join(',')}]}`),
)

export const encodeProtobuf: Encode = joinEncoded(
  order => OrderList.encode({ orders: [order] }).finish(),
  pieces => Buffer.concat(pieces),
)

function joinEncoded<Piece>(encodeOne: (order: Order) => Piece, join: (pieces: Piece[]) => Buffer): Encode {
  const encoded = Object.fromEntries(
    payloads.map(payload => [payload, selectOrders(MAX_ORDERS, payload, 0).map(encodeOne)]),
  ) as Record<Payload, Piece[]>
  return (count, payload, seed) =>
    join(selectPositions(count, seed).map(position => encoded[payload][position] as Piece))
}
