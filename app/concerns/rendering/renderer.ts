import { decodeOrders, decodeRecommendations } from '../../../orders/decode.ts'
import type { MediaType } from '../../../orders/order.ts'
import { loadBundle } from '../../../render/dist.ts'
import { type OrderView, viewOrders } from '../../../render/page/orders-view.ts'
import { ORDERS_PER_PART } from '../../../render/parts.ts'
import type { PageInput, PartCall, PartName } from '../../../render/protocol.ts'
import type { Renderer } from '../../../render/renderer.ts'

type PropsOf<Name extends PartName> = Parameters<
  typeof import('../../../render/server.tsx').renderPart<Name>
>[1]

const { renderPart, streamPart, findComponentStack } = await loadBundle()

/** The upstream data does not match the query. */
export class UpstreamDataError extends Error {
  override name = 'UpstreamDataError'
}

/** The HTML of a part by renderToString. Errors of a component and of decoding are thrown on. */
export const render: Renderer['render'] = call => renderPart(call.name, propsOf(call))

/** The same HTML by renderToPipeableStream. */
export const stream: Renderer['stream'] = call => streamPart(call.name, propsOf(call))

/** The component stack of an error in a part; undefined if the error occurred before any component ran. */
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

/** The orders of the input that was decoded last. */
let last: { readonly input: PageInput; readonly orders: readonly OrderView[] } | undefined

/**
 * Decodes and sorts the orders once for all parts with the same input, which are rendered one after the other. In a
 * WeakMap they would live until the next full collection of garbage, because an input that waits for its turn is old by
 * then.
 */
function ordersOf(input: PageInput): readonly OrderView[] {
  if (last?.input === input) return last.orders
  const orders = read(() => viewOrders(decodeOrders(input.data, input.type as MediaType), input.query))
  if (orders.length !== input.query.orders)
    throw new UpstreamDataError(`${input.query.orders} orders were asked for, ${orders.length} came`)
  last = { input, orders }
  return orders
}

function read<T>(data: () => T): T {
  try {
    return data()
  } catch (error) {
    throw new UpstreamDataError((error as Error).message)
  }
}
