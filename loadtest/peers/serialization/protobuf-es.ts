import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { create, createFileRegistry, fromBinary, toBinary } from '@bufbuild/protobuf'
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt'
import protobuf from 'protobufjs'
import 'protobufjs/ext/descriptor/index.js'
import { createSerialization as createCompiled } from '../../../app/concerns/serialization/compiled.ts'
import type { CreateSerialization } from '../../../app/concerns/serialization/contract.ts'
import { acceptsProtobuf, mediaTypes, type Order } from '../../../orders/order.ts'

const FILES = ['../../../orders/orders.proto', '../../../app/concerns/serialization/answers.proto']

/** Protobuf by protobuf-es for clients that accept it, and compiled JSON for others. */
export const createSerialization: CreateSerialization = () => {
  const compiled = createCompiled()
  const messages = readMessages()
  const listType = messages.getMessage('OrderList')
  return {
    ...compiled,
    decodeOrders: bytes => fromBinary(listType, bytes).orders.map(orderOf),
    encode(name, value, accept) {
      if (!acceptsProtobuf(accept)) return compiled.encode(name, value, accept)
      const type = messages.getMessage(name)
      const bytes = toBinary(type, create(type, value))
      return {
        contentType: mediaTypes.protobuf,
        body: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
      }
    },
  }
}

/** A message has no field of its own for a message that is absent, where the contract has null. */
const orderOf = ({ id, details, amounts }: Partial<Order>) =>
  ({ id, details: details ?? null, amounts: amounts ?? null }) as Order

/** The types that its generator would write into a file: they are read from the .proto files at the start. */
function readMessages() {
  const root = new protobuf.Root()
  for (const file of FILES) protobuf.parse(readFileSync(join(import.meta.dirname, file), 'utf8'), root)
  // The types of protobufjs lack what its extension adds.
  const set = (root as typeof root & { toDescriptor(syntax: string): protobuf.Message }).toDescriptor(
    'proto3',
  )
  return createFileRegistry(fromBinary(FileDescriptorSetSchema, set.$type.encode(set).finish()))
}
