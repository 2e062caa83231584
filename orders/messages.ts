import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import protobuf from 'protobufjs'
import { type MediaType, mediaTypes, type Order, type Recommendation } from './order.ts'

/** The message types of orders.proto, with field names in camel case. */
const { root } = protobuf.parse(readFileSync(join(import.meta.dirname, 'orders.proto'), 'utf8'))

// Message.toJSON returns a copy that lacks fields with their default (0, ""). Without it, a JSON writer reads the
// fields of the message itself, and its prototype has the defaults.
for (const type of root.nestedArray) {
  if (type instanceof protobuf.Type)
    Object.defineProperty(type.ctor.prototype, 'toJSON', { value: undefined })
}

export const OrderList = root.lookupType('OrderList')
export const RecommendationList = root.lookupType('RecommendationList')

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
