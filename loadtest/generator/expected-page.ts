import { RECOMMENDATIONS } from '../../app/concerns/rendering/sources.ts'
import { selectOrders } from '../../orders/catalogue.ts'
import { selectRecommendations } from '../../orders/recommendations.ts'
import { loadBundle, readStaticPage } from '../../render/dist.ts'
import { viewOrders } from '../../render/page/orders-view.ts'
import type { PartName } from '../../render/protocol.ts'

const ORDERS = 200

const { renderPart } = await loadBundle()

const { shells } = readStaticPage()

const pages = new Map<number, string>()

/** The right page for a seed. Every call returns the same string, because pages are large. */
export function expectedPage(seed: number): string {
  const page = pages.get(seed) ?? renderPage(seed)
  pages.set(seed, page)
  return page
}

const renderPage = (seed: number): string => expectedPagePieces(seed).join('')

/**
 * The pieces of a page in order, static ones and rendered parts; the list of orders is one piece. They are rendered
 * here from plain data, so that no thread and no stream can mix them up.
 */
export function expectedPagePieces(seed: number): string[] {
  const query = { seed, orders: ORDERS, search: '', status: '', sort: 'placed', theme: 'auto' } as const
  const orders = viewOrders(selectOrders(ORDERS, 'mixed', seed), query)
  const recommendations = selectRecommendations(RECOMMENDATIONS, seed)
  const html: Record<PartName, string> = {
    summary: renderPart('summary', { orders, query }),
    orders: renderPart('orders', { orders, of: orders.length }),
    recommendations: renderPart('recommendations', { recommendations }),
  }
  return shells[query.theme].map(piece => ('slot' in piece ? html[piece.slot] : piece.html))
}
