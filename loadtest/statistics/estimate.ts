/** An estimate, and how far the true value may lie from it. */
export interface Estimate {
  readonly value: number
  readonly standardError: number
  /** Half the width of the interval around `value`; infinite where there is no interval. */
  readonly halfWidth: number
}

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** Standard error of the mean; NaN for fewer than two values. */
export function standardError(values: readonly number[]): number {
  const middle = mean(values)
  const squares = values.reduce((sum, value) => sum + (value - middle) ** 2, 0)
  return Math.sqrt(squares / (values.length - 1) / values.length)
}

/** How a run was made, as far as it decides how wide its intervals have to be. */
export interface Design {
  /** Whether the run looked at its verdicts while it went on, as runs with `--quick` do. */
  readonly looks?: boolean | undefined
  /** Whether all samples of a row are of one start of its stack. */
  readonly keepsStacks?: boolean | undefined
}
