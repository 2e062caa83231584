import { type Composition, type Concern, concerns } from '../../app/concerns.ts'
import { lastStep } from '../../app/steps.ts'
import type { Row } from '../sample/rows.ts'

/** The slices of a thread's time: the concerns, and activities that belong to none of them. */
export const slices = [
  ...concerns,
  /** The service's own logic: routes, requests, and handling of the upstream's data. */
  'application',
  /** Sockets, HTTP and its parsing, in JavaScript. */
  'http',
  /** All other JavaScript of Node.js: timers, promises, queues. */
  'runtime',
  'gc',
  /** Time awake outside of JavaScript: the event loop, the kernel working for it, compiling. */
  'native',
] as const
export type Slice = (typeof slices)[number]

/** A thread's CPU time in the profiled window, split into slices. Shares are of `cpuMicros`, and not scaled to add up to 1. */
export interface ThreadSpectrum {
  /** `main`, or the name of the worker thread. */
  readonly thread: string
  /** CPU microseconds a good response, from `threadCpuUsage` on the thread. */
  readonly cpuMicros: number
  readonly shares: Readonly<Record<Slice, number>>
  /** Negative when the profile saw more time than the thread used, because the thread waited for a core. */
  readonly unattributed: number
  /** Path of V8's profile, relative to the results. */
  readonly profile: string
}

/** The spectrum of one row's main thread, from a profiled sample that is not one of the measured samples. */
export interface Spectrum extends ThreadSpectrum {
  readonly threads: readonly ThreadSpectrum[]
  /** The reason to doubt the spectrum; null when nothing went wrong. */
  readonly reason: string | null
}

export interface Prediction {
  /**
   * Main-thread cost after the move over that before, if nothing of the concern stayed: the limit of Amdahl's law. Its share
   * lacks the garbage that it makes and its HTTP, so a move can save more.
   */
  readonly ratioAtBest: number
}

/**
 * Predicts the gain of a row over the row above, from the spectrum of that. Null unless they differ in exactly one concern that
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
  return { ratioAtBest: 1 - spectrum.shares[concern] }
}

const isLast = (composition: Composition, concern: Concern) =>
  composition[concern] === lastStep.composition[concern]
