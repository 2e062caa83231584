import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import protobuf from 'protobufjs'
import { OrderList } from '../../../orders/messages.ts'
import { acceptsProtobuf, mediaTypes } from '../../../orders/order.ts'
import { forEachAnswer } from '../../answers/order-answers.ts'
import { createSerialization as createCompiled } from './compiled.ts'
import type { CreateSerialization } from './contract.ts'

const { root } = protobuf.parse(
  readFileSync(join(import.meta.dirname, 'answers.proto'), 'utf8'),
  OrderList.root,
)

export const answerMessages = forEachAnswer(name => root.lookupType(name))

/** Uses Protobuf in both directions for clients that accept it, and compiled JSON for others. */
export const createSerialization: CreateSerialization = () => {
  const compiled = createCompiled()
  return {
    ...compiled,
    encode(name, value, accept) {
      if (!acceptsProtobuf(accept)) return compiled.encode(name, value, accept)
      const bytes = answerMessages[name].encode(value).finish()
      return {
        contentType: mediaTypes.protobuf,
        body: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
      }
    },
  }
}
