import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import protobuf from 'protobufjs'

/** The message types of orders.proto, field names in camel case. */
const { root } = protobuf.parse(readFileSync(join(import.meta.dirname, 'orders.proto'), 'utf8'))

export const OrderList = root.lookupType('OrderList')
