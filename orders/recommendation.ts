/** A product that the shop should order again. */
export interface Recommendation {
  readonly id: number
  readonly product: string
  readonly reason: string
  readonly unitPrice: number
}

export const MAX_RECOMMENDATIONS = 50
