import type { MediaType } from '../../../orders/order.ts'
import type { SourceName } from '../../../render/protocol.ts'
import type { OrdersClient } from '../upstream/contract.ts'
import type { FetchSource } from './page.ts'

export const RECOMMENDATIONS = 6

/**
 * The functions that fetch the data of each source. The data stays encoded, because parts are decoded where they are
 * rendered.
 */
export const createSources = (
  upstream: OrdersClient,
  type: MediaType,
): Readonly<Record<SourceName, FetchSource>> => ({
  orders: async ({ orders: count, seed }, caller) => ({
    data: await upstream.fetchOrders({ count, payload: 'mixed', seed }, caller),
    type,
  }),
  recommendations: async ({ seed }, caller) => ({
    data: await upstream.fetchRecommendations({ count: RECOMMENDATIONS, seed }, caller),
    type,
  }),
})
