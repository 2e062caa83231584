import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import protobuf from 'protobufjs'
import { OrderList } from '../../orders/messages.ts'
import { mediaTypes } from '../../orders/order.ts'
import { createSerialization as createCompiled } from './compiled.ts'
import type { CreateSerialization } from './contract.ts'

/** Protobuf both ways, for clients that accept it; compiled JSON for others. */
export const createSerialization: CreateSerialization = () => {
  const compiled = createCompiled()
  const { root } = protobuf.parse(
    readFileSync(join(import.meta.dirname, 'answers.proto'), 'utf8'),
    OrderList.root,
  )
  const messages = {
    OrdersAnswer: root.lookupType('OrdersAnswer'),
    DemoAnswer: root.lookupType('DemoAnswer'),
  }
  return {
    ...compiled,
    encode(name, value, accept) {
      if (accept !== mediaTypes.protobuf) return compiled.encode(name, value, accept)
      const bytes = messages[name].encode(value).finish()
      return {
        contentType: mediaTypes.protobuf,
        body: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
      }
    },
  }
}
