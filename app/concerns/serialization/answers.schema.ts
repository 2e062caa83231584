import ordersSchema from '../../../orders/orders.schema.json' with { type: 'json' }
import type { AnswerName } from './contract.ts'

const orders = { type: 'array', items: { $ref: 'orders#/definitions/Order' } } as const
const integer = { type: 'integer' } as const

export const SubsetSum = {
  type: 'object',
  properties: {
    seed: integer,
    size: integer,
    numbers: { type: 'array', items: integer },
    target: integer,
    subsets: integer,
  },
} as const

/** JSON schemas of the answers. They have the same fields as the Protobuf messages. */
export const answerSchemas = {
  OrdersAnswer: { type: 'object', properties: { seed: integer, payload: { type: 'string' }, orders } },
  DemoAnswer: {
    type: 'object',
    properties: { seed: integer, tasks: { type: 'array', items: SubsetSum }, orders },
  },
} as const satisfies Record<AnswerName, object>

/** The schemas to which the `$ref`s point. */
export const referencedSchemas = { orders: ordersSchema } as const
