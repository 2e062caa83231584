import { type Composition, type Concern, concerns } from '../../app/concerns.ts'
import { lastStep } from '../../app/steps.ts'
import type { Row } from '../sample/rows.ts'
import type { Spectrum } from './spectrum.ts'

/** The gain that moving one concern could bring, computed from the spectrum of the row that has not moved it. */
export interface Prediction {
  readonly concern: Concern
  /** The concern's share of the main thread's CPU time. */
  readonly share: number
  /**
   * Ratio of main-thread cost after the move to the cost before, if nothing of the concern stayed on the main thread:
   * the limit of Amdahl's law. The concern's share does not contain the garbage that it makes or its HTTP, so a move
   * can save more than this.
   */
  readonly ratioAtBest: number
}

/**
 * Predicts the gain of a row over the row above. Null when the two rows do not differ in exactly one concern that
 * moves as on the ladder, or when the spectrum is in doubt.
 */
export function predict(
  above: Pick<Row, 'composition'> | undefined,
  row: Pick<Row, 'composition'>,
  spectrum: Spectrum | null,
): Prediction | null {
  if (!above || !spectrum || spectrum.reason) return null
  const [concern, ...others] = concerns.filter(each => above.composition[each] !== row.composition[each])
  if (!concern || others.length > 0 || !isLast(row.composition, concern)) return null
  const share = spectrum.shares[concern]
  return { concern, share, ratioAtBest: 1 - share }
}

const isLast = (composition: Composition, concern: Concern) =>
  composition[concern] === lastStep.composition[concern]
