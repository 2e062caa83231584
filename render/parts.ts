import type { PageQuery } from './page/query.ts'
import type { PartName } from './protocol.ts'

/** A part takes a fraction of a millisecond; the list of an ordinary page is three of them. */
export const ORDERS_PER_PART = 75

const KIB = 1024

export type SourceName = 'orders' | 'recommendations'

interface Part {
  /** The upstream's data that it is made of. */
  readonly source: SourceName
  /** About what its HTML takes: so much memory is set aside for it until it is there. */
  readonly typicalBytes: number
  /** Without it there is no page: it decides the status. */
  readonly isRequired: boolean
  /** How many there are on a page. */
  count(query: PageQuery): number
}

/** The dynamic parts of the page. */
export const parts: Readonly<Record<PartName, Part>> = {
  summary: { source: 'orders', typicalBytes: 4 * KIB, isRequired: true, count: () => 1 },
  orders: {
    source: 'orders',
    typicalBytes: 32 * KIB,
    isRequired: false,
    count: ({ orders }) => Math.max(1, Math.ceil(orders / ORDERS_PER_PART)),
  },
  recommendations: { source: 'recommendations', typicalBytes: KIB, isRequired: false, count: () => 1 },
}
