import type { PageQuery, Sort } from './query.ts'

/** The values by which orders are chosen and sorted. The browser reads them back from the cards. */
export interface OrderKeys {
  readonly id: number
  readonly customer: string
  readonly city: string
  readonly product: string
  readonly status: string
  /** The time in ISO 8601. */
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

/** Sorts by newest, largest, or customer; equal orders are sorted by their number. */
export const comparators: Readonly<Record<Sort, (a: OrderKeys, b: OrderKeys) => number>> = {
  placed: (a, b) => compare(b.placedAt, a.placedAt) || a.id - b.id,
  total: (a, b) => b.total - a.total || a.id - b.id,
  customer: (a, b) => compare(a.customer, b.customer) || a.id - b.id,
}

/** Compares code units, so that the order does not depend on the locale of server or browser. */
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
