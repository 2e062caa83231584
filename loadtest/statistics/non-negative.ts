/** One observation: the values of the terms, and what they add up to. */
export interface Observation {
  readonly terms: readonly number[]
  readonly value: number
  /** How much its squared error counts. */
  readonly weight: number
}

/**
 * Finds the factors, none below 0, with which the terms add up to the values with the least weighted squared error
 * (non-negative least squares: Lawson and Hanson, Solving Least Squares Problems, 1974, chapter 23). It tries all sets of
 * terms and leaves the others out, which is quick for a few terms. Of sets with the same error, the first one with the fewest
 * terms counts.
 * @returns a factor for each term
 */
export function fitNonNegative(observations: readonly Observation[]): number[] {
  const count = observations[0]?.terms.length ?? 0
  let best: number[] = Array(count).fill(0)
  let least = errorOf(observations, best)
  for (const chosen of subsets(count)) {
    const solved = solve(normalEquations(observations, chosen))
    if (!solved?.every(factor => factor >= 0)) continue
    const factors = Array<number>(count).fill(0)
    for (const [index, term] of chosen.entries()) factors[term] = solved[index] as number
    const error = errorOf(observations, factors)
    if (error >= least * (1 - ROUNDING)) continue
    best = factors
    least = error
  }
  return best
}

/** An error that is smaller by less than this is the same. */
const ROUNDING = 1e-9

/** The sets of the first numbers, the smallest sets first. */
const subsets = (count: number): number[][] =>
  Array.from({ length: 2 ** count - 1 }, (_, bits) =>
    Array.from({ length: count }, (_, term) => term).filter(term => ((bits + 1) >> term) & 1),
  ).toSorted((one, other) => one.length - other.length)

const errorOf = (observations: readonly Observation[], factors: readonly number[]): number =>
  observations.reduce((sum, { terms, value, weight }) => {
    const fitted = terms.reduce((total, term, index) => total + term * (factors[index] as number), 0)
    return sum + weight * (fitted - value) ** 2
  }, 0)

/** The rows of the linear equations for the chosen terms, each with its right side last. */
const normalEquations = (observations: readonly Observation[], chosen: readonly number[]): number[][] =>
  chosen.map(row => {
    const product = (of: (observation: Observation) => number) =>
      observations.reduce((sum, each) => sum + each.weight * (each.terms[row] as number) * of(each), 0)
    return [
      ...chosen.map(column => product(({ terms }) => terms[column] as number)),
      product(({ value }) => value),
    ]
  })

/**
 * Solves linear equations by elimination (Gauss and Jordan).
 * @returns undefined if the equations do not tell all unknowns
 */
function solve(equations: readonly number[][]): number[] | undefined {
  const rows = equations.map(row => [...row])
  for (const [index, row] of rows.entries()) {
    const pivot = row[index] as number
    if (!(pivot > ROUNDING * (equations[index]?.[index] as number))) return undefined
    for (const other of rows) {
      if (other === row) continue
      const factor = (other[index] as number) / pivot
      for (const [column, value] of row.entries()) other[column] = (other[column] as number) - factor * value
    }
  }
  return rows.map((row, index) => (row.at(-1) as number) / (row[index] as number))
}
