import type { PageQuery } from './page/query.ts'
import type { PartName } from './protocol.ts'

/** A part takes a fraction of a millisecond; the list of an ordinary page is four of them. */
export const ORDERS_PER_PART = 75

export type SourceName = 'orders' | 'recommendations'

interface Part {
  /** The upstream's data that it is made of. */
  readonly source: SourceName
  /** Without it there is no page: it decides the status. */
  readonly isRequired: boolean
  /** How many there are on a page. */
  count(query: PageQuery): number
}

/** The dynamic parts of the page. */
export const parts: Readonly<Record<PartName, Part>> = {
  summary: { source: 'orders', isRequired: true, count: () => 1 },
  orders: {
    source: 'orders',
    isRequired: false,
    count: ({ orders }) => Math.max(1, Math.ceil(orders / ORDERS_PER_PART)),
  },
  recommendations: { source: 'recommendations', isRequired: false, count: () => 1 },
}
