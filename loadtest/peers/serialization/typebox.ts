import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { CreateSerialization } from '../../../app/concerns/serialization/contract.ts'
import { createSerialization as createNative } from '../../../app/concerns/serialization/native.ts'

const details = Type.Object({
  customer: Type.String(),
  product: Type.String(),
  city: Type.String(),
  status: Type.String(),
  placedAt: Type.String(),
})
const amounts = Type.Object({
  quantity: Type.Integer(),
  unitPrice: Type.Number(),
  discount: Type.Number(),
  tax: Type.Number(),
  total: Type.Number(),
})
const orNull = (type: object) => Type.Union([type, Type.Null()])
const orderType = Type.Object({ id: Type.Integer(), details: orNull(details), amounts: orNull(amounts) })

/** JSON of V8, whose orders a compiled type of TypeBox then checks. What does not have its type is coerced. */
export const createSerialization: CreateSerialization = () => {
  const native = createNative()
  const type = Compile(Type.Array(orderType))
  return { ...native, decodeOrders: bytes => type.Parse(native.decodeOrders(bytes)) }
}
