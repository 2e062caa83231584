/** The decision of one sample: whether the limit held at its rate. */
export interface Trial {
  readonly ratePerSecond: number
  /**
   * `limited`: the load generator could not send at this rate, so the app was not tested. `refused`: the sample says
   * nothing, and is taken again.
   */
  readonly outcome: 'holds' | 'fails' | 'limited' | 'refused'
  /** Logarithm of p99 over the limit; infinite when too many requests failed. */
  readonly excess: number
}

/** Rates are searched in between. At a lower rate, a window with enough requests would take minutes. */
export const LOWEST_RATE = 10
export const HIGHEST_RATE = 20_000

const FIRST_STEP = Math.LN2
const LAST_STEP = Math.log(1.1)

/**
 * The rate of the next sample. It doubles while the limit holds and is halved while it fails; after each change from one
 * to the other the step is half as long, on a logarithmic scale (Kesten, Accelerated Stochastic Approximation, 1958).
 * The shortest step is 10 %: from then on this is the up-and-down method (Dixon and Mood, A Method for Obtaining and
 * Analyzing Sensitivity Data, 1948), which repeats samples on both sides of the rate at which the limit holds in half of
 * them.
 */
export function nextRate(trials: readonly Trial[], firstRate: number): number {
  let log = Math.log(firstRate)
  let step = FIRST_STEP
  let last: number | undefined
  for (const { outcome } of trials) {
    if (outcome === 'refused') continue
    const direction = outcome === 'holds' ? 1 : -1
    if (last !== undefined && direction !== last) step = Math.max(step / 2, LAST_STEP)
    last = direction
    log = Math.min(Math.max(log + direction * step, Math.log(LOWEST_RATE)), Math.log(HIGHEST_RATE))
  }
  return Math.round(Math.exp(log) * 10) / 10
}

/** A search that meets the same end of the rates this often does not go on. */
const ENOUGH_AT_AN_END = 3

/** Whether the limit fails even at the lowest rate, or nothing fails up to the highest. */
export function isSettled(trials: readonly Trial[]): boolean {
  const last = trials.filter(({ outcome }) => outcome !== 'refused').slice(-ENOUGH_AT_AN_END)
  const isAt = (rate: number, outcome: Trial['outcome']) =>
    last.every(trial => trial.ratePerSecond === rate && trial.outcome === outcome)
  return last.length === ENOUGH_AT_AN_END && (isAt(LOWEST_RATE, 'fails') || isAt(HIGHEST_RATE, 'holds'))
}
