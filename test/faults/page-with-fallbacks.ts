import { RECOMMENDATIONS } from '../../app/concerns/rendering/sources.ts'
import { selectOrders } from '../../orders/catalogue.ts'
import { selectRecommendations } from '../../orders/recommendations.ts'
import { loadBundle, readStaticPage } from '../../render/dist.ts'
import { viewOrders } from '../../render/page/orders-view.ts'
import { ORDERS_PER_PART } from '../../render/parts.ts'
import type { PartName } from '../../render/protocol.ts'

const ORDERS = 200

const { renderPart } = await loadBundle()
const { shells, fallbacks } = readStaticPage()

/** Number of parts of a seed's page that are fallbacks; undefined if anything else on the page is wrong. */
export function countFallbacks(seed: number, page: string): number | undefined {
  const query = { seed, orders: ORDERS, search: '', status: '', sort: 'placed', theme: 'auto' } as const
  const orders = viewOrders(selectOrders(ORDERS, 'mixed', seed), query)
  const recommendations = selectRecommendations(RECOMMENDATIONS, seed)
  const slices = Array.from({ length: Math.ceil(ORDERS / ORDERS_PER_PART) }, (_, index) =>
    orders.slice(index * ORDERS_PER_PART, (index + 1) * ORDERS_PER_PART),
  )
  const parts: Readonly<Record<PartName, readonly string[]>> = {
    summary: [renderPart('summary', { orders, query })],
    orders: slices.map(slice => renderPart('orders', { orders: slice, of: orders.length })),
    recommendations: [renderPart('recommendations', { recommendations })],
  }
  let at = 0
  let found = 0
  const take = (text: string): boolean => {
    const isNext = page.startsWith(text, at)
    if (isNext) at += text.length
    return isNext
  }
  for (const piece of shells[query.theme]) {
    const isRight =
      'html' in piece
        ? take(piece.html)
        : parts[piece.slot].every(html => take(html) || (take(fallbacks[piece.slot]) && ++found > 0))
    if (!isRight) return undefined
  }
  return at === page.length ? found : undefined
}
