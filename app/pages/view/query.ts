export const sorts = ['placed', 'total', 'customer'] as const
export const themes = ['auto', 'light', 'dark'] as const

export type Sort = (typeof sorts)[number]
export type Theme = (typeof themes)[number]

/** The choices of the user, all of which are in the URL. The page depends only on them and on the upstream data. */
export interface PageQuery {
  readonly seed: number
  /** Number of orders. */
  readonly orders: number
  /** Only orders of this status; empty for all. */
  readonly status: string
  /** Only orders that contain this text in their number, customer, product or city; empty for all. */
  readonly search: string
  readonly sort: Sort
  readonly theme: Theme
}
