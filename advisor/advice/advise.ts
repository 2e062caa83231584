import { byConcern, type ThreadSpectrum } from '../spectrum/spectrum.ts'
import { boundOf } from './bound.ts'
import type { Gain } from './gains.ts'
import type { Hop } from './hop.ts'
import { gainOf, type Package, packagesFor, wayOf } from './ways.ts'

/** Below this, the main thread has time to spare. */
const IDLE = 0.5
/** Smaller concerns are not worth advice. */
const LEAST_SHARE = 0.03
/** Work that is shorter than this many round trips to a worker thread stays. */
const LEAST_HOPS = 2

export interface Advice {
  readonly concern: string
  /** Share of the main thread's CPU time, with the garbage collection that it causes. */
  readonly share: number
  readonly leaves: boolean
  /** Why not, if it cannot leave; null if it can. */
  readonly stays: string | null
  readonly way: string
  /** CPU microseconds of the main thread for each request; null if requests were not counted. */
  readonly microsPerRequest: number | null
  /** Main-thread cost after the move over the cost before, at best: 1 − share + hop. */
  readonly costAtBest: number
  /** Its interval: the lower end counts all that the profile missed as this concern's, and both have the error of sampling. */
  readonly costAtBestRange: readonly [number, number]
  /** Throughput of a saturated main thread after the move over that before, at best. */
  readonly throughputAtBest: number
  /** CPU time of the whole process that a round trip adds, in percent of the main thread's; null if requests were not counted. */
  readonly addedCpuShare: number | null
  /** The gain that the same move brought in our own service. */
  readonly example: Gain | null
  /** The package or program that takes the concern off the main thread; absent if nothing can. */
  readonly packages: readonly Package[]
}

export interface Verdict {
  /** The first thing to say. */
  readonly summary: string
  readonly isIdle: boolean
  readonly advice: readonly Advice[]
}

/** Says what moving each concern could bring. @param requests in the window; null if they were not counted */
export function advise(main: ThreadSpectrum, requests: number | null, hop: Hop): Verdict {
  const requestMicros = requests && main.cpuMs !== null ? (main.cpuMs * 1000) / requests : null
  const concerns = byConcern(main).filter(({ share, gcShare }) => share + gcShare >= LEAST_SHARE)
  const advice = concerns
    .map(({ concern, share, gcShare }) => adviseOn(concern, share + gcShare, main, requestMicros, hop))
    .sort(
      (one, other) =>
        Number(other.leaves) - Number(one.leaves) || other.throughputAtBest - one.throughputAtBest,
    )
  const isIdle = main.busyShare < IDLE
  return { summary: summarize(main, advice, isIdle), isIdle, advice }
}

function adviseOn(
  concern: string,
  share: number,
  main: ThreadSpectrum,
  requestMicros: number | null,
  hop: Hop,
): Advice {
  const found = wayOf(concern)
  const { leaves, way, stays = 'it runs where the request is' } = found
  const microsPerRequest = requestMicros && requestMicros * share
  const isTooShort = microsPerRequest !== null && microsPerRequest < LEAST_HOPS * hop.mainThreadMicros
  const hopShare = leaves && requestMicros ? hop.mainThreadMicros / requestMicros : 0
  const { costAtBest, costAtBestRange } = boundOf(share, hopShare, main)
  return {
    concern,
    share,
    leaves: leaves && !isTooShort,
    stays: leaves ? (isTooShort ? 'its work for a request is too short to send away' : null) : stays,
    way,
    microsPerRequest,
    costAtBest,
    costAtBestRange,
    throughputAtBest: 1 / costAtBest,
    addedCpuShare: leaves && requestMicros ? hop.totalMicros / requestMicros : null,
    example: gainOf(found),
    packages:
      leaves && !isTooShort ? packagesFor(concern, new Set(main.shares.map(({ owner }) => owner))) : [],
  }
}

function summarize({ busyShare }: ThreadSpectrum, advice: readonly Advice[], isIdle: boolean): string {
  const busy = `The main thread's event loop was busy for ${(busyShare * 100).toFixed(0)} % of the time`
  if (isIdle) return `${busy}: moving nothing is the answer, unless single long turns delay others.`
  const [best] = advice
  if (!best?.leaves)
    return `${busy}, but no concern of 3 % or more can leave it: use more processes or cheaper libraries.`
  return `${busy}. Moving ${best.concern} away could bring ${best.throughputAtBest.toFixed(2)} × the throughput at most.`
}
