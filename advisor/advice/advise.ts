import type { Cores } from '../process/idle-cores.ts'
import { byConcern, type Share, type ThreadSpectrum } from '../spectrum/spectrum.ts'
import type { Hop } from './hop.ts'
import { gainOf, packagesFor, type Way, wayOf } from './ways.ts'

/** Below this, the main thread has time to spare. */
const IDLE = 0.5
/** Smaller concerns are not worth advice. */
const LEAST_SHARE = 0.03
/** Work that is shorter than this many round trips to a worker thread stays. */
const LEAST_HOPS = 2
/** A concern stays if moving all that can leave would save less than this. */
const LEAST_SAVING = 0.05
/**
 * CPU tasks and pages keep the core for milliseconds. Without them, the code and data of all else stay in the caches, and the main
 * thread finds several events when it wakes up, so all else costs this much of what it did at best: half for `/page` of our own
 * service (`prediction.long.ts`).
 */
export const WITHOUT_LONG_TURNS = 0.5
/** The quantile of the normal distribution for an interval of 95 %. */
const QUANTILE = 1.96

export type Advice = ReturnType<typeof adviseOn>

/**
 * Says what moving each concern could bring.
 * @param requests in the window; null if they were not counted
 * @param cores null if they are not known; throughput is then bounded by the main thread alone
 */
export function advise(main: ThreadSpectrum, requests: number | null, hop: Hop, cores: Cores | null = null) {
  const requestMicros = requests && main.cpuMs !== null ? (main.cpuMs * 1000) / requests : null
  const advice = byConcern(main)
    .filter(({ share, gcShare }) => share + gcShare >= LEAST_SHARE)
    .map(({ concern, owners }) => adviseOn(concern, owners, main, requestMicros, hop, cores))
    .sort((one, other) => Number(other.leaves) - Number(one.leaves) || one.costAtBest - other.costAtBest)
  const isIdle = main.busyShare < IDLE
  return { summary: summarize(main, advice, isIdle, cores), isIdle, advice }
}

/** @param owners the parts of the concern */
function adviseOn(
  concern: string,
  owners: readonly Share[],
  main: ThreadSpectrum,
  requestMicros: number | null,
  hop: Hop,
  cores: Cores | null,
) {
  const found = wayOf(concern)
  const share = sumOf(owners)
  const leaving = found.onlyBuiltinsLeave ? sumOf(owners.filter(({ isBuiltin }) => isBuiltin)) : share
  const microsPerRequest = requestMicros && requestMicros * share
  const isTooShort = microsPerRequest !== null && microsPerRequest < LEAST_HOPS * hop.mainThreadMicros
  const hopShare = found.leaves && requestMicros ? hop.mainThreadMicros / requestMicros : 0
  const { costAtBest, costAtBestRange } = boundOf(leaving, hopShare, main, {
    mayLeaveToo: sumOf(main.shares.filter(each => found.mayTake?.includes(each.concern))),
    others: found.hasLongTurns ? WITHOUT_LONG_TURNS : 1,
  })
  const isTooLittle = leaving < share && 1 - costAtBest < LEAST_SAVING
  const stays = whyStays(found, isTooShort, isTooLittle)
  const leaves = stays === null
  return {
    concern,
    /** With the garbage collection that the concern causes. */
    share,
    leaves,
    /** Why not, if it cannot leave; null if it can. */
    stays,
    way: found.way,
    /** CPU microseconds of the main thread for each request; null if requests were not counted. */
    microsPerRequest,
    costAtBest,
    costAtBestRange,
    /**
     * Throughput of a saturated main thread after the move over that before, at best. The work that has left needs cores, so it is
     * at most that of a machine without an idle core.
     */
    throughputAtBest: Math.min(
      1 / costAtBest,
      cores ? cores.count / (cores.count - cores.idle) : Number.POSITIVE_INFINITY,
    ),
    /** CPU time of the whole process that a round trip adds, over the main thread's; null if requests were not counted. */
    addedCpuShare: found.leaves && requestMicros ? hop.totalMicros / requestMicros : null,
    /** The gain that the same move brought in our own service. */
    example: gainOf(found),
    /** The packages that take the concern off the main thread. */
    packages: leaves ? packagesFor(concern, new Set(main.shares.map(({ owner }) => owner))) : [],
  }
}

function whyStays(
  { leaves, stays = 'it runs where the request is' }: Way,
  isTooShort: boolean,
  isTooLittle: boolean,
) {
  if (!leaves) return stays
  if (isTooShort) return 'its work for a request is too short to send away'
  return isTooLittle ? 'only writing leaves, which takes little; formatting stays on the main thread' : null
}

const sumOf = (shares: readonly Share[]) =>
  shares.reduce((sum, { share, gcShare }) => sum + share + gcShare, 0)

/**
 * Main-thread cost after a concern has left over the cost before, at best: 1 − share + hop (Amdahl 1967). Time that the profile
 * missed may belong to the concern, so the lower end of the interval counts all of it. Each end has the error of a share of so
 * many samples (normal approximation).
 * @param share of the main thread's CPU time that leaves, with its garbage
 * @param hopShare share that a round trip to a worker thread adds
 * @param atBest shares that may leave too, and what all others then cost at best, over what they cost now
 */
export function boundOf(
  share: number,
  hopShare: number,
  { missedShare, samples, busyShare }: Pick<ThreadSpectrum, 'missedShare' | 'samples' | 'busyShare'>,
  { mayLeaveToo = 0, others = 1 } = {},
) {
  const awake = Math.max(1, samples * busyShare)
  const error = QUANTILE * Math.sqrt((Math.min(1, share) * Math.max(0, 1 - share)) / awake)
  // A part that no sample shows may still take one sample's time.
  const rest = (found: number) => Math.max(1 / awake, found) + hopShare
  const costAtBest = rest(1 - share)
  const least = (1 - share - missedShare - error - mayLeaveToo) * others
  return { costAtBest, costAtBestRange: [rest(least), costAtBest + error] as const }
}

function summarize(
  { busyShare }: ThreadSpectrum,
  advice: readonly Advice[],
  isIdle: boolean,
  cores: Cores | null,
): string {
  const busy = `The main thread's event loop was busy for ${(busyShare * 100).toFixed(0)} % of the time`
  if (isIdle) return `${busy}: moving nothing is the answer, unless single long turns delay others.`
  const [best] = advice
  if (!best?.leaves)
    return `${busy}, but no concern of 3 % or more can leave it: use more processes or cheaper libraries.`
  const idle = cores ? `, as ${cores.idle.toFixed(1)} of ${cores.count} cores were idle` : ''
  return `${busy}. Without ${best.concern}, a request would cost it ${best.costAtBest.toFixed(2)} × as much at best, and the throughput would be ${best.throughputAtBest.toFixed(2)} × at most${idle}.`
}
