import type { ReactElement } from 'react'
import type { MediaType } from '../../orders/order.ts'
import { loadBundle, readAssets } from './assets.ts'
import { ordersOf, recommendationsOf } from './page-data.ts'
import type { PageContent } from './view/contexts.tsx'
import { type OrderView, type PageQuery, settled } from './view/data.ts'

/** The parts of a page as components of their own, which render threads render each for itself. */

const bundle = await loadBundle()
const { createElement } = bundle.react
export const { react } = bundle
export const assets = readAssets()

/** A part of this number of orders takes a fraction of a millisecond; the list of an ordinary page has three such parts. */
export const ORDERS_PER_PART = 75

export interface PartProps {
  readonly query: PageQuery
  readonly type: MediaType
  /** The answer of upstream, still encoded; null if there is none. */
  readonly data: Uint8Array | null
  /** The number of this part among those of the order list. */
  readonly index: number
}

export const Summary = (props: PartProps) =>
  withContent(props.query, { orders: settled(readOrders(props)) }, createElement(bundle.Summary, { assets }))

export function Cards({ index, ...props }: PartProps) {
  const first = index * ORDERS_PER_PART
  const orders = readOrders({ index, ...props }).slice(first, first + ORDERS_PER_PART)
  return withContent(props.query, {}, createElement(bundle.Cards, { orders }))
}

export const Recommendations = ({ query, data, type }: PartProps) =>
  withContent(
    query,
    { recommendations: settled(data && recommendationsOf(data, type)) },
    createElement(bundle.Recommendations, {}),
  )

export function Shell(_page: { readonly assets: typeof assets }) {
  const { Layout, Part } = bundle
  const list = createElement('ol', { className: 'orders' }, slot('Cards'))
  const orders = createElement(Part, { name: 'orders', children: list })
  const recommendations = createElement(Part, { name: 'recommendations', children: slot('Recommendations') })
  return createElement(Layout, { assets, summary: slot('Summary'), orders, recommendations })
}

const slot = (name: string) => createElement('template', { 'data-slot': name })

const never = new Promise<never>(() => {})

const withContent = (query: PageQuery, content: Partial<PageContent>, children: ReactElement) =>
  createElement(bundle.ContentContext, {
    value: { orders: never, recommendations: never, ...content },
    children: createElement(bundle.ChoiceProvider, { query, readForm: undefined, children }),
  })

/** The orders that were decoded last: the parts of a page that are in one message have the same data. */
let last: { readonly data: Uint8Array | null; readonly orders: readonly OrderView[] } | undefined

function readOrders({ data, type, query }: PartProps): readonly OrderView[] {
  if (last?.data !== data || !last) last = { data, orders: ordersOf(data as Uint8Array, type, query) }
  return last.orders
}
