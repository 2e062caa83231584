import { mediaTypes } from '../../orders/order.ts'
import { type CreateSerialization, JSON_TYPE } from './contract.ts'

/** V8's own: JSON.parse and JSON.stringify. */
export const createSerialization: CreateSerialization = () => ({
  upstreamType: mediaTypes.json,
  decodeOrders: bytes =>
    JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()).orders,
  encode: (_name, value) => ({ contentType: JSON_TYPE, body: JSON.stringify(value) }),
})
