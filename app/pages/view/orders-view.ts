import type { PageQuery } from './query.ts'
import { comparators, type OrderKeys } from './selection.ts'

/** The fields of an upstream order that the page shows. */
export interface PageOrder {
  readonly id: number
  readonly details: Omit<OrderKeys, 'id' | 'total'> | null
  readonly amounts: { readonly quantity: number; readonly total: number } | null
}

/** An order as the page shows it. */
export interface OrderView extends OrderKeys {
  readonly quantity: number
}

/** The orders in the order of the page. */
export const viewOrders = (orders: readonly PageOrder[], { sort }: Pick<PageQuery, 'sort'>): OrderView[] =>
  orders.map(viewOrder).sort(comparators[sort])

function viewOrder({ id, details, amounts }: PageOrder): OrderView {
  const { customer = '', product = '', city = '', status = '', placedAt = '' } = details ?? {}
  const { quantity = 0, total = 0 } = amounts ?? {}
  return { id, customer, city, product, status, placedAt, total, quantity }
}
