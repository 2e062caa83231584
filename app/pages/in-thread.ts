import { pathToFileURL } from 'node:url'
import { recordPageCalls, type SentCalls } from '../../lib/telemetry/thread-calls.ts'
import { ClientWatch } from '../../lib/threads/envelope.ts'
import type { LoadedPage, LoadRequest } from '../../render/app-module.ts'
import {
  type ClientOptions,
  createOrdersClient,
  type OrdersClient,
} from '../concerns/upstream/orders-client.ts'
import type { PageModule, PageProps } from './page.ts'
import { type PageCall, pageCallNames, pageQueries } from './sources.ts'

/** The module of the page for render threads that fetch its data. */
export { default, options, react } from './page.ts'

let page: PageModule
let client: OrdersClient

export async function setup(given: { readonly pageFile: string; readonly upstream: ClientOptions }) {
  page = await import(pathToFileURL(given.pageFile).href)
  client = createOrdersClient(given.upstream)
}

export function load({ props, signal }: LoadRequest, loaded: LoadedPage): ReturnType<PageModule['load']> {
  const { calls, ...given } = props as unknown as PageProps & { readonly calls?: SentCalls<PageCall> }
  // A page that a fault asks for has no calls.
  if (!calls) return page.load({ props: given }, loaded)
  const requester = Object.assign(new ClientWatch(), { deadline: given.deadline })
  signal.addEventListener('abort', () => requester.abort())
  const records = recordPageCalls(pageCallNames, calls, note => loaded.note(note))
  const queries = pageQueries(given.query)
  const orders = client.fetchOrders(queries.orders, requester, records.orders)
  const recommendations = records.recommendations
    ? client.fetchRecommendations(queries.recommendations, requester, records.recommendations)
    : null
  return page.load({ props: { ...given, orders, recommendations } }, loaded)
}
