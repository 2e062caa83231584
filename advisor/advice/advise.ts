import type { Cores } from '../process/proc.ts'
import { byConcern, type Share, type ThreadSpectrum } from '../spectrum/spectrum.ts'
import type { Hop } from './hop.ts'
import { packagesFor, type Way, wayOf } from './ways.ts'

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
 * service. At worst it is woken for each event, beside threads that use the caches: `advised.long.ts`.
 */
const WITHOUT_LONG_TURNS = [0.5, 2] as const
const AS_BEFORE = [1, 1] as const
/** The quantile of the normal distribution for an interval of 95 %. */
const QUANTILE = 1.96

export type Advice = ReturnType<typeof adviseOn>

/** Says what moving each concern could bring. Without known cores, throughput is bounded by the main thread alone. */
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
  const leaves = ({ isBuiltin, owner }: Share) =>
    !found.onlyBuiltinsLeave || isBuiltin || found.replaced?.includes(owner)
  const leaving = sumOf(owners.filter(leaves))
  const microsPerRequest = requestMicros && requestMicros * share
  const isTooShort = microsPerRequest !== null && microsPerRequest < LEAST_HOPS * hop.mainThreadMicros
  const hopShareOf = (micros: number) => (found.leaves && requestMicros ? micros / requestMicros : 0)
  const hops = [
    hopShareOf(hop.mainThreadMicros),
    hopShareOf(found.isBatched ? hop.mainThreadMicros : hop.aloneMicros),
  ] as const
  const { costAtBest, costAtBestRange } = boundOf(leaving, hops, main, {
    margin: main.concernMargins[concern] ?? 0,
    mayLeaveToo: sumOf(main.shares.filter(each => found.mayTake?.includes(each.concern))),
    mayStay: found.mayStay,
    others: found.hasLongTurns ? WITHOUT_LONG_TURNS : AS_BEFORE,
  })
  const isTooLittle = leaving < share && 1 - costAtBest < LEAST_SAVING
  const stays = whyStays(found, isTooShort, isTooLittle)
  return {
    concern,
    /** With the garbage collection that the concern causes. */
    share,
    leaves: stays === null,
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
    /** The command that tries it in the running service; undefined if there is none. */
    tryIt: found.tryIt,
    /** The packages that take the concern off the main thread. */
    packages: stays === null ? packagesFor(concern, new Set(main.shares.map(({ owner }) => owner))) : [],
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
 * Main-thread cost after a concern has left over the cost before, at best: 1 − share + hop (Amdahl 1967). The result lies in the
 * interval. Time that the profile missed may belong to the concern, so the lower end counts all of it. Each end has the error of a
 * share of so many samples (normal approximation), or that of its differences between blocks if it is larger.
 * @param share of the main thread's CPU time that leaves, with its garbage
 * @param hops shares that a round trip to a worker thread adds, beside others and alone
 * @param besides shares that may leave too, the part of what leaves that may stay, and what all others then cost over what they cost now
 */
function boundOf(
  share: number,
  hops: readonly [number, number],
  { missedShare, samples, busyShare }: Pick<ThreadSpectrum, 'missedShare' | 'samples' | 'busyShare'>,
  { margin = 0, mayLeaveToo = 0, mayStay = 0, others = AS_BEFORE as readonly [number, number] } = {},
) {
  const awake = Math.max(1, samples * busyShare)
  const ofSamples = QUANTILE * Math.sqrt((Math.min(1, share) * Math.max(0, 1 - share)) / awake)
  const error = Math.max(ofSamples, margin)
  // A part that no sample shows may still take one sample's time.
  const rest = (found: number) => Math.max(1 / awake, found)
  const least = rest((1 - share - missedShare - error - mayLeaveToo) * others[0])
  const most = rest((1 - share * (1 - mayStay) + error) * others[1])
  return {
    costAtBest: rest(1 - share) + hops[0],
    costAtBestRange: [least + hops[0], most + hops[1]] as const,
  }
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
