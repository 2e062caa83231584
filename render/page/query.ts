export const sorts = ['placed', 'total', 'customer'] as const
export const themes = ['auto', 'light', 'dark'] as const

export type Sort = (typeof sorts)[number]
export type Theme = (typeof themes)[number]

/** What the page shows: its URL says all of it, and the page is a function of nothing else but the upstream's data. */
export interface PageQuery {
  readonly seed: number
  /** How many orders. */
  readonly orders: number
  /** Only orders of this status; empty for all. */
  readonly status: string
  /** Only orders that have this text in their number, customer, product or city; empty for all. */
  readonly search: string
  readonly sort: Sort
  readonly theme: Theme
}
