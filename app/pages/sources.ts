import { pathToFileURL } from 'node:url'
import type { WaitingClient } from '../../lib/threads/envelope.ts'
import type { OrdersClient } from '../concerns/upstream/orders-client.ts'
import type { RequestContext, WorkTimes } from '../context.ts'
import { type PageNote, problemOfNote } from './missing-parts.ts'
import type { PageQuery } from './view/data.ts'
import type { PartName } from './view/part.tsx'

export const RECOMMENDATIONS = 6

/** A page that a client asked for. */
export interface PageRequest {
  readonly context: RequestContext
  readonly query: PageQuery
  /** The number of this answer in its Content-Security-Policy, which allows the scripts that have it. */
  readonly nonce: string
  /** Milliseconds by the monotonic clock: parts that are not ready by then are given up. */
  readonly deadline: number
  /** Called for each part that the page lacks, with the reason. */
  onMissing(part: PartName, error: unknown): void
  /** Called once with the times of a page that did not fail, when nothing of it is left to render. */
  onEnd(times: WorkTimes): void
}

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

/** The page: its module, and how it gets the data for its props. */
export interface PageSource<Props extends object = PageData> {
  /** URL of a `PageModule`. */
  readonly module: URL
  /** Begins to fetch. @throws Problem when there will be no orders */
  open(request: PageRequest): OpenPageData<Props>
}

interface OpenPageData<Props> {
  readonly props: Props
  /** Takes what the module notes while it makes the props of the page. */
  onNote(note: unknown): unknown
  /** Called when the page needs no more data. */
  onOver?(): void
}

/** The main thread fetches. */
export const fetchOnMainThread = (options: {
  readonly client: Pick<OrdersClient, 'fetchOrders' | 'fetchRecommendations'>
  readonly pageFile: string
}): PageSource => ({
  module: pathToFileURL(options.pageFile),
  open: ({ context, query, deadline, onMissing }) => ({
    props: fetchPageData(options.client, query, until(deadline, context)),
    onNote: note => onMissing(...problemOfNote(note as PageNote)),
  }),
})

/** The request as its page sees it, which has less time. */
const until = (deadline: number, context: RequestContext): WaitingClient => ({
  deadline,
  get gone() {
    return context.gone
  },
  onGone: listener => context.onGone(listener),
})

function fetchPageData(
  client: Pick<OrdersClient, 'fetchOrders' | 'fetchRecommendations'>,
  query: PageQuery,
  waiting: WaitingClient,
): PageData {
  const queries = pageQueries(query)
  return {
    orders: client.fetchOrders(queries.orders, waiting),
    recommendations: client.fetchRecommendations(queries.recommendations, waiting),
  }
}

/** The queries of the calls for a page. */
export const pageQueries = ({ orders: count, seed }: PageQuery) =>
  ({
    orders: { count, payload: 'mixed', seed },
    recommendations: { count: RECOMMENDATIONS, seed },
  }) as const
