import { decodeOrders } from '../../../orders/messages.ts'
import { mediaTypes } from '../../../orders/order.ts'
import { type CreateSerialization, JSON_TYPE } from './contract.ts'

/** Uses JSON.parse and JSON.stringify of V8. */
export const createSerialization: CreateSerialization = () => ({
  upstreamType: mediaTypes.json,
  decodeOrders: bytes => decodeOrders(bytes, mediaTypes.json),
  encode: (_name, value) => ({ contentType: JSON_TYPE, body: JSON.stringify(value) }),
})
