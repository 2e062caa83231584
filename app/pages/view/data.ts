export const sorts = ['placed', 'total', 'customer'] as const

export type Sort = (typeof sorts)[number]

/** The choices of the user, all of which are in the URL. The page depends only on them and on the upstream data. */
export interface PageQuery {
  readonly seed: number
  readonly orders: number
  /** Only orders of this status; empty for all. */
  readonly status: string
  /** Only orders that contain this text in their number, customer, product or city; empty for all. */
  readonly search: string
  readonly sort: Sort
}

export interface Assets {
  readonly script: string
  readonly style: string
  /** Shows late parts where no script runs. */
  readonly noscript: string
  readonly icon: string
}

export interface PageOrder {
  readonly id: number
  readonly details: Omit<OrderKeys, 'id' | 'total'> | null
  readonly amounts: { readonly quantity: number; readonly total: number } | null
}

export interface OrderView extends OrderKeys {
  readonly quantity: number
}

export const viewOrders = (orders: readonly PageOrder[], { sort }: Pick<PageQuery, 'sort'>): OrderView[] =>
  orders.map(viewOrder).sort(comparators[sort])

function viewOrder({ id, details, amounts }: PageOrder): OrderView {
  const { customer = '', product = '', city = '', status = '', placedAt = '' } = details ?? {}
  const { quantity = 0, total = 0 } = amounts ?? {}
  return { id, customer, city, product, status, placedAt, total, quantity }
}

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

const amount = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

const count = new Intl.NumberFormat('en')

export const formatCount = (things: number): string => count.format(things)

export const formatMoney = (euros: number): string => `EUR ${amount.format(euros)}`

/**
 * The day of a time; empty text stays empty.
 * @throws RangeError when `iso` is not a time
 */
export const formatDay = (iso: string): string => (iso === '' ? '' : day.format(new Date(iso)))

/** A promise whose value `use` reads at once: React reads the same two fields of promises that it has awaited. */
export const settled = <Value>(value: Value): Promise<Value> =>
  Object.assign(Promise.resolve(value), { status: 'fulfilled', value })
