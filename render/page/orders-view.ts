import type { PageQuery } from './query.ts'
import { comparators, matches, type OrderKeys } from './selection.ts'

/** The fields of an upstream order that the page shows. */
export interface PageOrder {
  readonly id: number
  readonly details: Omit<OrderKeys, 'id' | 'total'> | null
  readonly amounts: { readonly quantity: number; readonly total: number } | null
}

/** An order as the page shows it. */
export interface OrderView extends OrderKeys {
  readonly quantity: number
  readonly isShown: boolean
}

/** The orders in the order of the page. */
export function viewOrders(orders: readonly PageOrder[], query: PageQuery): OrderView[] {
  return orders.map(order => viewOrder(order, query)).sort(comparators[query.sort])
}

function viewOrder({ id, details, amounts }: PageOrder, query: PageQuery): OrderView {
  const { customer = '', product = '', city = '', status = '', placedAt = '' } = details ?? {}
  const { quantity = 0, total = 0 } = amounts ?? {}
  const keys = { id, customer, city, product, status, placedAt, total }
  return { ...keys, quantity, isShown: matches(keys, query) }
}
