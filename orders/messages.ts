import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import protobuf from 'protobufjs'

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
