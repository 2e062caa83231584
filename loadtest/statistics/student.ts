const STEPS = 400
const known = new Map<string, number>()

/**
 * The quantile of Student's t on both sides: the distance from 0 within which it lies with this probability. Degrees of freedom
 * may be fractions, from 1 on.
 */
export function studentQuantile(confidence: number, degrees: number): number {
  const key = `${confidence} ${degrees}`
  const quantile = known.get(key) ?? findQuantile(confidence, degrees)
  known.set(key, quantile)
  return quantile
}

/**
 * With t = √degrees · tan(angle), the density of t is a power of the cosine of the angle, on a finite range, which is bisected.
 */
function findQuantile(confidence: number, degrees: number): number {
  const sought = confidence * integrateCosine(Math.PI / 2, degrees - 1)
  let [low, high] = [0, Math.PI / 2]
  for (let halving = 0; halving < 50; halving++) {
    const angle = (low + high) / 2
    if (integrateCosine(angle, degrees - 1) < sought) low = angle
    else high = angle
  }
  return Math.sqrt(degrees) * Math.tan(low)
}

/** The integral of cos(x)^power from 0 to `to`, by Simpson's rule. */
function integrateCosine(to: number, power: number): number {
  const width = to / STEPS
  let sum = 0
  for (let step = 0; step <= STEPS; step++) {
    const weight = step === 0 || step === STEPS ? 1 : step % 2 ? 4 : 2
    sum += weight * Math.max(0, Math.cos(step * width)) ** power
  }
  return (sum * width) / 3
}
