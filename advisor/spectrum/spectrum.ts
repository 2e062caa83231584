import type { HeapProfiler, Profiler } from 'node:inspector'
import { studentQuantile } from '../../loadtest/statistics/student.ts'
import type { ConcernOf } from '../concerns/concerns.ts'
import type { FindOwner } from '../owners/owner-of.ts'
import type { ThreadWindow } from '../watching/thread.ts'
import { type Part, readSeenTime, type SeenTime } from './parts.ts'

/** A share of a thread's CPU time, from 0 to 1. */
export interface Share extends Part {
  /** Without garbage collection. */
  readonly share: number
  /** Garbage collection that its allocations caused. */
  readonly gcShare: number
  /** Share of the bytes that the thread allocated; null if only a profile is known. */
  readonly allocatedShare: number | null
  /** Half the width of the 95 % interval of both together; null if it is not known. */
  readonly margin: number | null
  /** Its functions that took most, with their places, the longest first; without garbage collection. */
  readonly functions: readonly { readonly name: string; readonly share: number }[]
}

/** The CPU time of one thread in one window, split. All shares are of the thread's CPU time without the control. */
export type ThreadSpectrum = Readonly<ReturnType<typeof split>>

/** A profile that explains less than this share of the CPU time has missed too much. */
export const LEAST_COVERAGE = 0.9

/** The control takes so little time that fewer samples than this hit it too rarely to tell anything. */
const LEAST_SAMPLES = 500

/** A window; of a profile that was there already, only the duration is known. */
export type Window = Pick<ThreadWindow, 'thread' | 'wallMs' | 'profile'> & Partial<ThreadWindow>

/** Finds whose time the functions of a profile take. */
export interface Attribution {
  readonly findOwner: FindOwner
  readonly concernOf: ConcernOf
}

export const splitWindow = (window: Window, { findOwner, concernOf }: Attribution): ThreadSpectrum =>
  split(
    window,
    readSeenTime(window.profile, findOwner, concernOf),
    window.heap && readSeenTime(asProfile(window.heap), findOwner, concernOf).byPart,
  )

/** Allocations as a profile whose time is bytes, so that their owners are found as those of time are. */
function asProfile({ head }: HeapProfiler.SamplingHeapProfile): Profiler.Profile {
  const nodes = [head]
  for (const { children } of nodes) nodes.push(...children)
  const ids = new Map(nodes.map((node, id) => [node, id]))
  return {
    nodes: nodes.map(({ callFrame, children }, id) => ({
      id,
      callFrame,
      children: children.map(child => ids.get(child) as number),
    })),
    samples: [...ids.values()],
    timeDeltas: [0, ...nodes.map(({ selfSize }) => selfSize)],
    startTime: 0,
    endTime: 1,
  }
}

/**
 * Splits a thread's CPU time. V8 calls a thread idle whenever it is outside of JavaScript, asleep or awake, so CPU time that
 * the profile has not seen is native. That alone would hide samples that V8 failed to take. The control shows them: the
 * share of the control that the profile missed is taken as the share that it missed of everything.
 */
export function split(
  { thread, wallMs, cpuMicros, waitedMicros = null, control }: Omit<Window, 'profile'>,
  seen: SeenTime,
  allocated?: ReadonlyMap<Part, number>,
) {
  const gcMicros = sum(seen.gcByPart)
  const seenMicros = sum(seen.byPart) + gcMicros + seen.nativeMicros
  const isControlled = control && control.controlMicros > 0 && seen.samples >= LEAST_SAMPLES
  const controlSeen = isControlled ? seen.sampledControlMicros / control.controlMicros : null
  const missed = controlSeen === null ? 0 : Math.max(0, 1 / Math.max(controlSeen, 0.01) - 1)
  const watchingMicros = (control?.totalMicros ?? 0) + seen.inspectorMicros
  const ownMicros = cpuMicros === undefined ? seenMicros : Math.max(1, cpuMicros - watchingMicros)
  const busyMicros = Math.max(ownMicros + (waitedMicros ?? 0), seenMicros)
  // A thread that waits for a core is seen by the clock while it does not run.
  const ran = Math.min(1, ownMicros / Math.max(1, seenMicros * (1 + missed)))
  const shareOf = (micros: number) => (ownMicros > 0 ? (micros * ran) / ownMicros : 0)
  const missedShare = shareOf(seenMicros * missed)
  const outsideShare = Math.max(0, 1 - shareOf(seenMicros) - missedShare)
  const stoodStillMicros =
    cpuMicros === undefined || waitedMicros === null
      ? null
      : seenMicros + seen.controlMicros + seen.inspectorMicros - cpuMicros - waitedMicros
  const parts = new Set([...seen.byPart.keys(), ...seen.gcByPart.keys()])
  const all = seen.blocks.map(({ micros }) => micros)
  const marginOfParts = (some: readonly Part[]) => {
    const margin = marginOf(
      seen.blocks.map(({ byPart }) => total(some.map(part => byPart.get(part) ?? 0))),
      all,
    )
    return margin === null ? null : margin * shareOf(seenMicros)
  }
  const allocatedBytes = allocated ? sum(allocated) : null
  const allocatedBy = new Map([...(allocated ?? [])].map(([part, bytes]) => [keyOf(part), bytes]))
  const shares: readonly Share[] = [...parts]
    .map(part => ({
      ...part,
      share: shareOf(seen.byPart.get(part) ?? 0),
      gcShare: shareOf(seen.gcByPart.get(part) ?? 0),
      allocatedShare: allocatedBytes && (allocatedBy.get(keyOf(part)) ?? 0) / allocatedBytes,
      margin: marginOfParts([part]),
      functions: (seen.functionsByPart.get(part) ?? []).map(({ name, micros }) => ({
        name,
        share: shareOf(micros),
      })),
    }))
    .sort((one, other) => other.share - one.share)
  return {
    thread,
    wallMs,
    /** Number of samples in the profile. */
    samples: seen.samples,
    /** CPU time without the control; null if only a profile is known, whose own time then takes its place. */
    cpuMs: cpuMicros === undefined ? null : ownMicros / 1000,
    /**
     * Share of the time, without the control's, in which the thread ran, waited for a core, or stood still in a call that
     * waits. `performance.eventLoopUtilization()` does not tell it here: each sample wakes a loop that waits for work, and
     * libuv then forgets how long it has waited.
     */
    busyShare: Math.min(1, busyMicros / Math.max(1, wallMs * 1000 - watchingMicros)),
    shares,
    /** The margins of the shares of concerns. */
    concernMargins: Object.fromEntries(
      [...Map.groupBy(parts, ({ concern }) => concern)].map(([concern, some]) => [
        concern,
        marginOfParts(some),
      ]),
    ),
    /** Time awake outside of JavaScript: the event loop, and the kernel working for it. */
    nativeShare: shareOf(seen.nativeMicros) + outsideShare,
    /** Time in which the thread waited for a core, over the time in which it ran. Null if it is not known. */
    waitRatio: cpuMicros && waitedMicros !== null ? waitedMicros / cpuMicros : null,
    gcShare: shareOf(gcMicros),
    /** Bytes that the thread allocated, as far as samples tell; null if only a profile is known. */
    allocatedBytes,
    /**
     * Share of the time by the clock in which the thread stood still in a call that waits, such as `execSync`. The profile
     * counts it as the caller's. Null if it is not known.
     */
    stoodStillShare: stoodStillMicros === null ? null : Math.max(0, stoodStillMicros) / (wallMs * 1000),
    /** CPU time that the profile missed, as far as the control tells. */
    missedShare,
    /** Share of the CPU time that the spectrum explains: all that was not missed. Null without a control, or with too few samples. */
    coverage: controlSeen === null ? null : 1 - missedShare,
    /** Share of the control that the profile saw; null without a control, or with too few samples. */
    controlSeen,
  }
}

const keyOf = ({ concern, owner }: Part) => `${concern}\n${owner}`

const total = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0)
const sum = (micros: ReadonlyMap<Part, number>) => total([...micros.values()])

/**
 * Half the width of the 95 % interval of a share, by the jackknife over blocks of time (Efron and Tibshirani, An Introduction to the
 * Bootstrap, 1993, chapter 11). Samples that follow each other are alike, so single ones would tell too narrow an interval.
 * @param parts the time of the part in each block
 * @param all all time in each block
 * @returns null if all time is in one block
 */
export function marginOf(parts: readonly number[], all: readonly number[]): number | null {
  const [part, whole] = [total(parts), total(all)]
  const others = parts.map((each, block) => (part - each) / (whole - (all[block] as number)))
  if (!others.every(Number.isFinite)) return null
  const blocks = others.length
  const mean = total(others) / blocks
  const variance = ((blocks - 1) / blocks) * total(others.map(other => (other - mean) ** 2))
  return studentQuantile(0.95, blocks - 1) * Math.sqrt(variance)
}

type Shares = Pick<ThreadSpectrum, 'shares'> & Partial<Pick<ThreadSpectrum, 'concernMargins'>>

/** Shares of a thread added up by concern, the largest first. */
export function byConcern({ shares, concernMargins }: Shares) {
  return [...Map.groupBy(shares, ({ concern }) => concern)]
    .map(([concern, owners]) => ({
      concern,
      share: total(owners.map(({ share }) => share)),
      gcShare: total(owners.map(({ gcShare }) => gcShare)),
      allocatedShare: total(owners.map(({ allocatedShare }) => allocatedShare ?? 0)),
      margin: concernMargins?.[concern] ?? null,
      owners,
    }))
    .sort((one, other) => other.share + other.gcShare - one.share - one.gcShare)
}
