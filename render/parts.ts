import type { PageQuery } from './page/query.ts'
import { type PartName, partNames, type SourceName } from './protocol.ts'

/**
 * A part with this number of orders takes a fraction of a millisecond; the list of an ordinary page has three such
 * parts.
 */
export const ORDERS_PER_PART = 75

const KIB = 1024

interface Part {
  /** The upstream data from which the part is made. */
  readonly source: SourceName
  /** The typical size of its HTML. This memory is reserved for the part until it is rendered. */
  readonly typicalBytes: number
  /** Whether the page needs this part. A required part decides the status of the answer. */
  readonly isRequired: boolean
  /** The number of these parts on a page. */
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

/** The memory that is reserved for the parts of a page until they are rendered. */
export const typicalBytesOf = (query: PageQuery): number =>
  partNames.reduce((bytes, name) => bytes + parts[name].count(query) * parts[name].typicalBytes, 0)
