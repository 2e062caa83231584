import type { Caller, OrdersClient, Recorded } from '../concerns/upstream/contract.ts'
import type { PageQuery } from './view/query.ts'

export const RECOMMENDATIONS = 6

/** The upstream data of a page, each encoded as upstream sent it. */
export interface PageData {
  readonly orders: Promise<Uint8Array>
  readonly recommendations: Promise<Uint8Array>
}

/** The data of a page as its renderer gets them: bytes that have come, or a promise of them. Null: none will come. */
export interface ArrivingData {
  readonly orders: PageData['orders'] | Uint8Array
  readonly recommendations: Promise<Uint8Array | null> | Uint8Array | null
}

/** The data of a page, by the calls that fetch it. */
export const sourceNames = ['orders', 'recommendations'] as const
export type SourceName = (typeof sourceNames)[number]

/** The functions of the upstream that a page calls. */
export type PageUpstream = Pick<OrdersClient, 'fetchOrders' | 'fetchRecommendations'>

/** Begins to fetch the data of a page. @param recorded what a thread records of each call */
export const fetchPageData = (
  upstream: PageUpstream,
  { orders: count, seed }: PageQuery,
  caller: Caller,
  recorded?: Readonly<Record<SourceName, Recorded>>,
): PageData => ({
  orders: upstream.fetchOrders({ count, payload: 'mixed', seed }, caller, recorded?.orders),
  recommendations: upstream.fetchRecommendations(
    { count: RECOMMENDATIONS, seed },
    caller,
    recorded?.recommendations,
  ),
})
