import { selectOrders, selectPositions } from './catalogue.ts'
import { OrderList, RecommendationList } from './messages.ts'
import { MAX_ORDERS, type Order, type Payload, payloads, type Recommendation } from './order.ts'

type Encode = (count: number, payload: Payload, seed: number) => Buffer

/**
 * Answers are joined from orders that were encoded once, so that the upstream takes almost no CPU time from the
 * measured processes. Protobuf allows this too: two encoded lists, one after the other, are an encoding of the joined
 * list.
 */
export const encodeOrders = {
  json: joinEncoded(
    order => JSON.stringify(order),
    pieces => Buffer.from(`{"orders":[${pieces.join(',')}]}`),
  ),
  protobuf: joinEncoded(
    order => OrderList.encode({ orders: [order] }).finish(),
    pieces => Buffer.concat(pieces),
  ),
}

function joinEncoded<Piece>(encodeOne: (order: Order) => Piece, join: (pieces: Piece[]) => Buffer): Encode {
  const encoded = Object.fromEntries(
    payloads.map(payload => [payload, selectOrders(MAX_ORDERS, payload, 0).map(encodeOne)]),
  ) as Record<Payload, Piece[]>
  return (count, payload, seed) =>
    join(selectPositions(count, seed).map(position => encoded[payload][position] as Piece))
}

export const encodeRecommendations = {
  json: (recommendations: readonly Recommendation[]) => Buffer.from(JSON.stringify({ recommendations })),
  protobuf: (recommendations: readonly Recommendation[]) =>
    Buffer.from(RecommendationList.encode({ recommendations }).finish()),
}
