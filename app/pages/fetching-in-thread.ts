import { recordPageCalls, type SentCalls } from '../../lib/telemetry/thread-calls.ts'
import { watchOf } from '../../lib/threads/envelope.ts'
import type { LoadedPage, LoadRequest } from '../../render/app-module.ts'
import { type ClientOptions, createOrdersClient } from '../concerns/upstream/orders-client.ts'
import { load as loadPage, type SentPage } from './in-thread.ts'
import { pageQueries } from './page-data.ts'
import type { PartName } from './view/part.tsx'

/** The module of the page for render threads that fetch its data. */
export { default, options, react } from './page.ts'

let client: ReturnType<typeof createOrdersClient>

export function setup(upstream: ClientOptions): void {
  client = createOrdersClient(upstream)
}

export function load({ props, signal }: LoadRequest, page: LoadedPage): ReturnType<typeof loadPage> {
  const { calls, ...given } = props as unknown as SentPage & { readonly calls: SentCalls<PartName> }
  const waiting = Object.assign(watchOf(signal), { deadline: given.deadline })
  const records = recordPageCalls(calls, note => page.note(note))
  const queries = pageQueries(given.query)
  const orders = client.fetchOrders(queries.orders, waiting, records.orders)
  const others = records.recommendations
  const recommendations = others && client.fetchRecommendations(queries.recommendations, waiting, others)
  return loadPage({ props: { ...given, orders, recommendations: recommendations ?? null } }, page)
}
