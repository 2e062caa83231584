import { Ajv } from 'ajv'
import type { CreateSerialization } from '../../../app/concerns/serialization/contract.ts'
import { createSerialization as createNative } from '../../../app/concerns/serialization/native.ts'
import schema from '../../../orders/orders.schema.json' with { type: 'json' }

/** JSON of V8, whose orders ajv then checks by the schema, and coerces, as Fastify has it check what a client sends. */
export const createSerialization: CreateSerialization = () => {
  const native = createNative()
  const check = new Ajv({ coerceTypes: true }).compile(schema)
  return {
    ...native,
    decodeOrders(bytes) {
      const orders = native.decodeOrders(bytes)
      if (!check({ orders }))
        throw new TypeError(`the orders do not have their schema: ${check.errors?.[0]?.message}`)
      return orders
    },
  }
}
