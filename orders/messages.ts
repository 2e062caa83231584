import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import protobuf from 'protobufjs'

/** The message types of orders.proto, field names in camel case. */
const { root } = protobuf.parse(readFileSync(join(import.meta.dirname, 'orders.proto'), 'utf8'))

// Message.toJSON makes a copy in which fields that hold their default (0, "") are missing. Without it, whoever
// writes JSON reads the fields of the message itself, where the prototype has the defaults.
for (const type of root.nestedArray) {
  if (type instanceof protobuf.Type)
    Object.defineProperty(type.ctor.prototype, 'toJSON', { value: undefined })
}

export const OrderList = root.lookupType('OrderList')
export const RecommendationList = root.lookupType('RecommendationList')
