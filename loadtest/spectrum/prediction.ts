import { type Composition, type Concern, concerns } from '../../app/concerns.ts'
import { firstStep, lastStep } from '../../app/steps.ts'
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

export interface Next {
  readonly concern: Concern
  readonly share: number
  /** Whether the ladder moves this concern from here. If not, it is the largest concern of all. */
  readonly isOnLadder: boolean
}

/** A request of this scenario does not use a concern whose share of the main thread is below this. */
const LEAST_SHARE = 0.01

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

/**
 * Finds the largest concern that is still as it was at first or, when none of these has a share, the largest of all.
 * Null when the spectrum is in doubt.
 */
export function findNext({ composition }: Pick<Row, 'composition'>, spectrum: Spectrum | null): Next | null {
  if (!spectrum || spectrum.reason) return null
  const open = concerns.filter(
    concern =>
      composition[concern] === firstStep.composition[concern] &&
      !isLast(composition, concern) &&
      spectrum.shares[concern] >= LEAST_SHARE,
  )
  const candidates = open.length > 0 ? open : concerns
  const concern = candidates.reduce((most, each) =>
    spectrum.shares[each] > spectrum.shares[most] ? each : most,
  )
  return { concern, share: spectrum.shares[concern], isOnLadder: open.length > 0 }
}

const isLast = (composition: Composition, concern: Concern) =>
  composition[concern] === lastStep.composition[concern]
