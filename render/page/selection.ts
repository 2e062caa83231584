import type { PageQuery, Sort } from './query.ts'

/** What orders are chosen and sorted by. The browser reads it back from the cards. */
export interface OrderKeys {
  readonly id: number
  readonly customer: string
  readonly city: string
  readonly product: string
  readonly status: string
  /** ISO 8601 */
  readonly placedAt: string
  readonly total: number
}

export function matches(order: OrderKeys, wanted: Pick<PageQuery, 'status' | 'search'>): boolean {
  if (wanted.status !== '' && order.status !== wanted.status) return false
  const search = wanted.search.trim().toLowerCase()
  return search === '' || searchableText(order).includes(search)
}

const searchableText = ({ id, customer, city, product }: OrderKeys) =>
  `${id} ${customer} ${city} ${product}`.toLowerCase()

/** Newest, largest, or by name; orders that are equal in that by their number. */
export const comparators: Readonly<Record<Sort, (a: OrderKeys, b: OrderKeys) => number>> = {
  placed: (a, b) => compare(b.placedAt, a.placedAt) || a.id - b.id,
  total: (a, b) => b.total - a.total || a.id - b.id,
  customer: (a, b) => compare(a.customer, b.customer) || a.id - b.id,
}

/** By code units: the same everywhere, whatever the locale of server and browser. */
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
