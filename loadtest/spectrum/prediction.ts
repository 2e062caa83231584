import { type Composition, type Concern, concerns } from '../../app/concerns.ts'
import { lastStep } from '../../app/steps.ts'
import type { Row } from '../rows.ts'
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

/** Null where the rows do not differ in exactly one concern. */
export function predict(
  above: Pick<Row, 'composition'> | undefined,
  row: Pick<Row, 'composition'>,
  spectrum: Spectrum | null,
): Prediction | null {
  const [concern, ...others] = above ? differences(above.composition, row.composition) : []
  if (!concern || others.length > 0 || !spectrum) return null
  const share = spectrum.shares[concern]
  return { concern, share, ratioAtBest: 1 - share }
}

/** The largest concern that the last step does otherwise; when none of them has a share, the largest of all. */
export function findNext({ composition }: Pick<Row, 'composition'>, spectrum: Spectrum | null): Next | null {
  if (!spectrum) return null
  const open = differences(composition, lastStep.composition).filter(
    concern => spectrum.shares[concern] >= LEAST_SHARE,
  )
  const candidates = open.length > 0 ? open : concerns
  const concern = candidates.reduce((most, each) =>
    spectrum.shares[each] > spectrum.shares[most] ? each : most,
  )
  return { concern, share: spectrum.shares[concern], isOnLadder: open.length > 0 }
}

const differences = (one: Composition, other: Composition): Concern[] =>
  concerns.filter(concern => one[concern] !== other[concern])
