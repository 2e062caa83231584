import { type Composition, type Concern, concerns } from '../../app/concerns.ts'
import { firstStep, lastStep } from '../../app/steps.ts'
import type { Row } from '../sample/rows.ts'
import type { Spectrum } from './spectrum.ts'

/** What moving one concern could bring, by the spectrum of the row that has not moved it. */
export interface Prediction {
  readonly concern: Concern
  /** Of the main thread's CPU time. */
  readonly share: number
  /**
   * Main-thread cost after over before, if nothing at all of the concern stayed: the limit of Amdahl's law. Garbage
   * that the concern makes, and its HTTP, are not in its share: leaving them can bring more.
   */
  readonly ratioAtBest: number
}

export interface Next {
  readonly concern: Concern
  readonly share: number
  /** Whether the ladder moves it from here; if not, it is the largest of all. */
  readonly isOnLadder: boolean
}

/** A concern that has less of the main thread is none that a request of this scenario pays for. */
const LEAST_SHARE = 0.01

/** Null where the rows do not differ in one concern that goes where the ladder takes it, or the spectrum is in doubt. */
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
 * The largest concern that is still as it was at first; when none of them has a share, the largest of all. Null where
 * the spectrum is in doubt.
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
