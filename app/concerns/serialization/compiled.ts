import fastJsonStringify, { type Schema } from 'fast-json-stringify'
import { decodeOrders } from '../../../orders/messages.ts'
import { mediaTypes } from '../../../orders/order.ts'
import ordersSchema from '../../../orders/orders.schema.json' with { type: 'json' }
import { taskTable } from '../../../workers/tasks.ts'
import { type AnswerName, type AnswerValues, forEachAnswer } from '../../answers/order-answers.ts'
import { otherSchemas } from '../../server/additions.ts'
import { type CreateSerialization, JSON_TYPE } from './contract.ts'

/**
 * Every request has to decode what the upstream sends and to encode its answer. Both are done by code that is generated
 * from schemas at start-up: Protobuf in (protobufjs), JSON out (fast-json-stringify).
 */
export const createSerialization: CreateSerialization = () => {
  const stringify = forEachAnswer(name => compile(answerSchemas[name]))
  return {
    upstreamType: mediaTypes.protobuf,
    decodeOrders: bytes => decodeOrders(bytes, mediaTypes.protobuf),
    encode: (name, value) => ({ contentType: JSON_TYPE, body: stringify[name](value) }),
  }
}

const integer = { type: 'integer' } as const
const orders = { type: 'array', items: { $ref: 'orders#/definitions/Order' } } as const

export const answerSchemas: {
  readonly [Name in AnswerName]: {
    readonly type: 'object'
    readonly properties: Readonly<Record<keyof AnswerValues[Name], object>>
  }
} = {
  DemoAnswer: {
    type: 'object',
    properties: { seed: integer, tasks: { type: 'array', items: taskTable.subsetSum.output }, orders },
  },
  ...otherSchemas({ orders }),
}

/** The schemas to which the `$ref`s of the answers point. */
const referenced = { orders: ordersSchema } as unknown as Record<string, Schema>

const compile = (schema: object): ((value: unknown) => string) =>
  fastJsonStringify(schema as Schema, { schema: referenced })
