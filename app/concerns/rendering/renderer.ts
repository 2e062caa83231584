import { decodeOrders, decodeRecommendations } from '../../../orders/decode.ts'
import type { MediaType } from '../../../orders/order.ts'
import { loadBundle } from '../../../render/dist.ts'
import { type OrderView, viewOrders } from '../../../render/page/orders-view.ts'
import { ORDERS_PER_PART } from '../../../render/parts.ts'
import type { PageInput, PartCall, PartName, Renderer } from '../../../render/protocol.ts'

type PropsOf<Name extends PartName> = Parameters<
  typeof import('../../../render/server.tsx').renderPart<Name>
>[1]

const { renderPart, streamPart, findComponentStack } = await loadBundle()

/** What the upstream answered is not what it was asked for. */
export class UpstreamDataError extends Error {
  override name = 'UpstreamDataError'
}

/** A part's HTML by renderToString. Throws what a component or the decoding of its data throws. */
export const render: Renderer['render'] = call => renderPart(call.name, propsOf(call))

/** The same bytes by renderToPipeableStream. */
export const stream: Renderer['stream'] = call => streamPart(call.name, propsOf(call))

/** Where among the components a part throws that has thrown; undefined when that was before them. */
export const explain: Renderer['explain'] = async call => {
  try {
    return await findComponentStack(call.name, propsOf(call))
  } catch {
    return undefined
  }
}

const propsFor: { readonly [Name in PartName]: (call: PartCall) => PropsOf<Name> } = {
  summary: ({ input }) => ({ orders: ordersOf(input), query: input.query }),
  orders({ input, index }) {
    const orders = ordersOf(input)
    const first = index * ORDERS_PER_PART
    return { orders: orders.slice(first, first + ORDERS_PER_PART), of: orders.length }
  },
  recommendations: ({ input }) => ({
    recommendations: read(() => decodeRecommendations(input.data, input.type as MediaType)),
  }),
}

const propsOf = <Name extends PartName>(call: PartCall & { readonly name: Name }): PropsOf<Name> =>
  propsFor[call.name](call)

const views = new WeakMap<PageInput, readonly OrderView[]>()

/** Decoded and put in order once for all parts that came together. */
function ordersOf(input: PageInput): readonly OrderView[] {
  let orders = views.get(input)
  if (!orders) {
    orders = read(() => viewOrders(decodeOrders(input.data, input.type as MediaType), input.query))
    if (orders.length !== input.query.orders)
      throw new UpstreamDataError(`${input.query.orders} orders were asked for, ${orders.length} came`)
    views.set(input, orders)
  }
  return orders
}

function read<T>(data: () => T): T {
  try {
    return data()
  } catch (error) {
    throw new UpstreamDataError((error as Error).message)
  }
}
