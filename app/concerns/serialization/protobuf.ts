import { acceptsProtobuf, mediaTypes } from '../../../orders/order.ts'
import { createSerialization as createCompiled } from './compiled.ts'
import type { CreateSerialization } from './contract.ts'
import { answerMessages } from './messages.ts'

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
