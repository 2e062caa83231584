import { OrderList, RecommendationList } from './messages.ts'
import { type MediaType, mediaTypes, type Order } from './order.ts'
import type { Recommendation } from './recommendation.ts'

/**
 * Decodes answers of the upstream by their media type.
 * @throws when the bytes are not of this type
 */
export const decodeOrders = (bytes: Uint8Array, type: MediaType): readonly Order[] =>
  type === mediaTypes.protobuf
    ? (OrderList.decode(bytes) as unknown as { orders: Order[] }).orders
    : listOf(parse<{ orders: Order[] }>(bytes).orders)

export const decodeRecommendations = (bytes: Uint8Array, type: MediaType): readonly Recommendation[] =>
  type === mediaTypes.protobuf
    ? (RecommendationList.decode(bytes) as unknown as { recommendations: Recommendation[] }).recommendations
    : listOf(parse<{ recommendations: Recommendation[] }>(bytes).recommendations)

const parse = <T>({ buffer, byteOffset, length }: Uint8Array): T =>
  JSON.parse(Buffer.from(buffer, byteOffset, length).toString())

function listOf<T>(items: T[]): T[] {
  if (Array.isArray(items)) return items
  throw new TypeError(`a list was expected, received ${JSON.stringify(items)?.slice(0, 100)}`)
}
