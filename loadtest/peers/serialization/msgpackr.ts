import { Packr } from 'msgpackr'
import type { CreateSerialization } from '../../../app/concerns/serialization/contract.ts'
import { createSerialization as createNative } from '../../../app/concerns/serialization/native.ts'
import type { MediaType, Order } from '../../../orders/order.ts'

export const MESSAGE_PACK = 'application/x-msgpack'
/** Writes the names of the fields once for each message, which is the fastest form that needs no agreement. */
export const packr = new Packr({ useRecords: true })

/** MessagePack in, and out for clients that accept it. No upstream of the service speaks it, so only the bench measures it. */
export const createSerialization: CreateSerialization = () => {
  const native = createNative()
  return {
    upstreamType: MESSAGE_PACK as MediaType,
    decodeOrders: bytes => listOf(packr.unpack(bytes)),
    encode: (name, value, accept) =>
      accept === MESSAGE_PACK
        ? { contentType: MESSAGE_PACK, body: packr.pack(value) }
        : native.encode(name, value, accept),
  }
}

function listOf({ orders }: { orders?: unknown }): readonly Order[] {
  if (Array.isArray(orders)) return orders
  throw new TypeError('a list of orders was expected')
}
