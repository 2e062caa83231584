import type { Profiler } from 'node:inspector'
import { fromCallers, readSamples, states } from '../../loadtest/spectrum/profile.ts'
import { median } from '../../loadtest/statistics/median.ts'
import type { ConcernOf } from '../concerns/concerns.ts'
import { absorb, CONTROL, INSPECTOR, isTaker } from '../owners/builtins.ts'
import { generated } from '../owners/owner.ts'
import type { FindOwner } from '../owners/owner-of.ts'
import { placeOf } from '../owners/place.ts'

/** Time of one owner that works for one concern. */
export interface Part {
  readonly concern: string
  readonly owner: string
  /** Whether the owner is a part of Node.js, such as its files, which worked for the concern. */
  readonly isBuiltin: boolean
}

/** JavaScript of Node.js that no owner called: timers, promises, queues. */
export const RUNTIME: Part = { concern: 'runtime', owner: 'Node.js', isBuiltin: true }

/** A profile is cut into as many blocks of equal time, whose differences tell how certain a share is. */
const BLOCKS = 10

/** The time that a profile saw, in microseconds by the clock. */
export type SeenTime = ReturnType<typeof readSeenTime>

/** Splits the time of a profile: each sample counts for the nearest function on its stack that has an owner. */
export function readSeenTime(profile: Profiler.Profile, findOwner: FindOwner, concernOf: ConcernOf) {
  const found = classify(profile.nodes, findOwner, concernOf)
  const byPart = new Map<Part, number>()
  // A collection counts for the part that ran when it began: that part's allocation was the one too many.
  const gcByPart = new Map<Part, number>()
  const watching = new Map<string, number>()
  const byFunction = new Map<Part, Map<Frame, number>>()
  const micros = { native: 0, idle: 0 }
  const intervals: number[] = []
  const blocks = Array.from({ length: BLOCKS }, () => ({ micros: 0, byPart: new Map<Part, number>() }))
  const blockMicros = Math.max(1, profile.endTime - profile.startTime) / BLOCKS
  let atMicros = 0
  let controlSamples = 0
  let running = RUNTIME
  for (const { node, lasted } of readSamples(profile)) {
    const { kind = 'native', frame } = found.get(node) ?? {}
    intervals.push(lasted)
    const block = blocks[
      Math.min(BLOCKS - 1, Math.max(0, Math.floor(atMicros / blockMicros)))
    ] as (typeof blocks)[0]
    atMicros += lasted
    if (kind !== 'idle' && (typeof kind === 'string' || kind.concern !== 'control')) block.micros += lasted
    if (kind === 'gc') {
      add(gcByPart, running, lasted)
      add(block.byPart, running, lasted)
    } else if (typeof kind === 'string') micros[kind] += lasted
    else if (kind.concern === 'control') {
      add(watching, kind.owner, lasted)
      if (kind.owner === CONTROL) controlSamples++
    } else {
      running = kind
      add(byPart, kind, lasted)
      add(block.byPart, kind, lasted)
      const frames = byFunction.get(kind) ?? new Map<Frame, number>()
      byFunction.set(kind, frames)
      if (frame) add(frames, frame, lasted)
    }
  }
  return {
    samples: intervals.length,
    /** What was seen in each block: all, and each part with its garbage collection. */
    blocks,
    byPart,
    gcByPart,
    /** The functions of each part that took most of its time, the longest first. */
    functionsByPart: new Map([...byFunction].map(([part, frames]) => [part, longest(frames, findOwner)])),
    /** Time awake outside of JavaScript. */
    nativeMicros: micros.native,
    controlMicros: watching.get(CONTROL) ?? 0,
    /**
     * The same without the time in which the thread waited for a core. That hardly changes the number of samples, but a sample
     * before a wait lasts until after it.
     */
    sampledControlMicros: controlSamples * (median(intervals) ?? 0),
    /** Time of V8's inspector, which only watching has opened. It is nobody's. */
    inspectorMicros: watching.get(INSPECTOR) ?? 0,
  }
}

type Frame = Profiler.ProfileNode['callFrame']

/** Each owner names its largest functions only. */
const MOST_FUNCTIONS = 3

/** @returns the functions that took most, by name and place; the same function has a node for each of its callers */
function longest(frames: ReadonlyMap<Frame, number>, findOwner: FindOwner) {
  const byPlace = new Map<string, { frame: Frame; micros: number }>()
  for (const [frame, micros] of frames) {
    const place = `${frame.url}:${frame.lineNumber}:${frame.columnNumber} ${frame.functionName}`
    byPlace.set(place, { frame, micros: micros + (byPlace.get(place)?.micros ?? 0) })
  }
  return [...byPlace.values()]
    .sort((one, other) => other.micros - one.micros)
    .slice(0, MOST_FUNCTIONS)
    .map(({ frame, micros }) => ({ name: findOwner.describe(frame), micros }))
}

const add = <Key>(sums: Map<Key, number>, key: Key, micros: number) =>
  void sums.set(key, (sums.get(key) ?? 0) + micros)

/** What is known of a node of a profile. */
interface Found {
  /** Whose time its own time is, or what V8 did. */
  readonly kind: Part | 'gc' | 'native' | 'idle'
  /** Whose time it would be without an owner of its own: that of its caller. */
  readonly part: Part
  /** The function of that part that it is in; undefined in Node.js itself, whose functions are not told. */
  readonly frame?: Frame | undefined
  /** The concern that takes the time of Node.js's modules below. */
  readonly taker?: string | undefined
}

/** Tells whose time each node's own time is, by the id of the node. A function without an owner works for its caller. */
function classify(nodes: readonly Profiler.ProfileNode[], findOwner: FindOwner, concernOf: ConcernOf) {
  const known = new Map<string, Part>()
  const intern = (part: Part) => {
    const key = `${part.concern}\n${part.owner}`
    known.set(key, known.get(key) ?? part)
    return known.get(key) as Part
  }
  return fromCallers<Found>(nodes, { kind: RUNTIME, part: RUNTIME }, (callFrame, caller) => {
    const owner =
      findOwner(callFrame) ?? (caller.part === RUNTIME && isGenerated(callFrame) ? generated : undefined)
    const state = states.get(callFrame.functionName)
    if (!owner) return { ...caller, kind: state ?? caller.part }
    const own = concernOf(owner)
    const isBuiltin = owner.kind === 'builtin'
    const part = intern({
      concern: isBuiltin ? absorb(own, caller.taker) : own,
      owner: owner.name,
      isBuiltin,
    })
    const taker = isBuiltin && !isTaker(own) ? caller.taker : own
    return { kind: state ?? part, part, frame: isBuiltin ? undefined : callFrame, taker }
  })
}

/** Whether code was made at run time. Native code has the script 0, and a thread's states are in parentheses. */
const isGenerated = ({ functionName, scriptId, url }: Profiler.ProfileNode['callFrame']) =>
  Number(scriptId) > 0 && !functionName.startsWith('(') && placeOf(url).kind === 'generated'
