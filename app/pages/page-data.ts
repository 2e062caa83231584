import { setImmediate as turn } from 'node:timers/promises'
import type { WaitingClient } from '../../lib/threads/envelope.ts'
import { monotonicMs } from '../../lib/units.ts'
import { decodeOrders, decodeRecommendations } from '../../orders/messages.ts'
import type { MediaType, Recommendation } from '../../orders/order.ts'
import type { OrdersClient } from '../concerns/upstream/orders-client.ts'
import type { RequestContext, WorkTimes } from '../context.ts'
import { decodeUpstream, Problem, type ProblemCode } from '../problems.ts'
import type { PageContent } from './view/contexts.tsx'
import { type OrderView, type PageQuery, settled, viewOrders } from './view/data.ts'
import type { PartName } from './view/part.tsx'

export const RECOMMENDATIONS = 6

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

export const pageFetcher =
  (client: Pick<OrdersClient, 'fetchOrders' | 'fetchRecommendations'>) =>
  ({ context, query, deadline }: Pick<PageRequest, 'context' | 'query' | 'deadline'>): PageData => {
    const waiting = until(deadline, context)
    const queries = pageQueries(query)
    return {
      orders: client.fetchOrders(queries.orders, waiting),
      recommendations: client.fetchRecommendations(queries.recommendations, waiting),
    }
  }

export const pageQueries = ({ orders: count, seed }: PageQuery) =>
  ({
    orders: { count, payload: 'mixed', seed },
    recommendations: { count: RECOMMENDATIONS, seed },
  }) as const

/** The request as its page sees it, which has less time. */
const until = (deadline: number, context: RequestContext): WaitingClient => ({
  deadline,
  get gone() {
    return context.gone
  },
  onGone: listener => context.onGone(listener),
})

interface ContentOptions {
  readonly query: PageQuery
  readonly type: MediaType
  readonly data: PageData
  /** Milliseconds by the monotonic clock: what has not come by then is late. */
  readonly deadline: number
  /** Called when the page has to do without recommendations. */
  onMissing(error: unknown): void
}

/**
 * Decodes the data of a page. It resolves once the orders are there, without which there is no page; recommendations may
 * come later, or not at all. Upstream often answers both calls in one turn of the event loop, so one turn is waited.
 * @throws Problem UPSTREAM_FAILED when the orders are not those that were asked for, UPSTREAM_TIMEOUT when they are late,
 * and what the fetch throws
 */
export async function openContent({
  query,
  type,
  data,
  deadline,
  onMissing,
}: ContentOptions): Promise<PageContent> {
  const recommendations = tracked(
    within(deadline, data.recommendations)
      .then((bytes): readonly Recommendation[] | null => recommendationsOf(bytes, type))
      .catch(error => {
        onMissing(error)
        return null
      }),
  )
  const orders = ordersOf(await within(deadline, data.orders), type, query)
  if (!('status' in recommendations)) await turn()
  return { orders: settled(orders), recommendations }
}

/** The fields that the page shows. In a message of Protobuf, fields with default values are not its own. */
const viewRecommendation = ({ id, product, reason, unitPrice }: Recommendation): Recommendation => ({
  id,
  product,
  reason,
  unitPrice,
})

/** @throws Problem UPSTREAM_FAILED when the bytes are not of this type */
export const recommendationsOf = (bytes: Uint8Array, type: MediaType): readonly Recommendation[] =>
  decodeUpstream(() => decodeRecommendations(bytes, type).map(viewRecommendation))

/** @throws Problem UPSTREAM_FAILED when these are not the orders that were asked for */
export const ordersOf = (bytes: Uint8Array, type: MediaType, query: PageQuery): readonly OrderView[] =>
  decodeUpstream(() => viewOrders(decodeOrders(bytes, type), query), query.orders)

/** A promise with its value when that is there: React's `use` looks at these two fields. */
export type Tracked<Value> = Promise<Value> & { readonly status?: 'fulfilled'; readonly value?: Value }

export function tracked<Value>(promise: Promise<Value>): Tracked<Value> {
  void promise.then(value => Object.assign(promise, { status: 'fulfilled', value }))
  return promise
}

/**
 * Data that is late is replaced at the deadline of the page. A page that is not ready this time later is given up, because one
 * of its components waits for something else.
 */
export const GRACE_MS = 1000

/**
 * The value of upstream if it comes in time.
 * @param deadline milliseconds by the monotonic clock
 * @throws Problem UPSTREAM_TIMEOUT when it is late
 */
export function within<Value>(deadline: number, value: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const leftMs = Math.max(0, deadline - monotonicMs())
    const timer = setTimeout(() => reject(new Problem('UPSTREAM_TIMEOUT')), leftMs)
    value.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** The problem of an error that a component threw. @param componentStack the components that React was rendering */
export function problemOfComponent(error: unknown, componentStack: string | undefined): Problem {
  if (error instanceof Problem) return error
  // A thread sends the name and the fields of a problem, but not its class.
  const { name, code, cause } = error as Problem
  if (name === Problem.name) return new Problem(code as ProblemCode, undefined, cause)
  const stack = (error instanceof Error && error.stack) || String(error)
  return new Problem('PART_FAILED', undefined, `${stack}\nComponents:${componentStack ?? ' none'}`)
}

export const partWith = (componentStack: string | undefined): PartName =>
  componentStack?.includes('at OrderList') ? 'orders' : 'recommendations'
