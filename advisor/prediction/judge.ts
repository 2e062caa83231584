import { mean } from '../../loadtest/statistics/mean.ts'
import type { Bound } from '../advice/bound.ts'

/** Main-thread cost after over before, with its interval. */
export interface Measured {
  readonly ratio: number
  readonly ci95: readonly [number, number]
}

/** Joins the bounds of several profiles of the same step: the mean, and the widest interval. */
export function joinBounds(bounds: readonly Bound[]): Bound {
  return {
    costAtBest: mean(bounds.map(({ costAtBest }) => costAtBest)),
    costAtBestRange: [
      Math.min(...bounds.map(({ costAtBestRange: [low] }) => low)),
      Math.max(...bounds.map(({ costAtBestRange: [, high] }) => high)),
    ],
  }
}

/** A bound is broken when even the smallest gain that the measurement allows is larger than the bound allows. */
export const isBroken = ({ costAtBestRange: [low] }: Bound, { ci95: [, high] }: Measured): boolean =>
  high < low
