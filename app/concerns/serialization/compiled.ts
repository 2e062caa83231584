import fastJsonStringify, { type Schema } from 'fast-json-stringify'
import { decodeOrders } from '../../../orders/decode.ts'
import { mediaTypes } from '../../../orders/order.ts'
import { answerSchemas, referencedSchemas } from './answers.schema.ts'
import { type Answers, type CreateSerialization, JSON_TYPE } from './contract.ts'

/**
 * Every request has to decode what the upstream sends and to encode its answer. Both are done by code that is generated
 * from schemas at start-up: Protobuf in (protobufjs), JSON out (fast-json-stringify).
 */
export const createSerialization: CreateSerialization = () => {
  const stringify = {
    OrdersAnswer: compile<Answers['OrdersAnswer']>(answerSchemas.OrdersAnswer),
    DemoAnswer: compile<Answers['DemoAnswer']>(answerSchemas.DemoAnswer),
  }
  return {
    upstreamType: mediaTypes.protobuf,
    decodeOrders: bytes => decodeOrders(bytes, mediaTypes.protobuf),
    encode: (name, value) => ({ contentType: JSON_TYPE, body: stringify[name](value as never) }),
  }
}

const compile = <Value>(schema: object) =>
  fastJsonStringify(schema as Schema, { schema: referencedSchemas as unknown as Record<string, Schema> }) as (
    value: Value,
  ) => string
