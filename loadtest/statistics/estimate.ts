/** An estimate, and how far the true value may lie from it. */
export interface Estimate {
  readonly value: number
  readonly standardError: number
  /** Half the width of the interval around `value`; infinite where there is no interval. */
  readonly halfWidth: number
}
