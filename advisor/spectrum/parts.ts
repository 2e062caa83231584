import type { Profiler } from 'node:inspector'
import { readSamples } from '../../loadtest/spectrum/samples.ts'
import { median } from '../../loadtest/statistics/median.ts'
import { absorb, isTaker } from '../concerns/absorb.ts'
import type { ConcernOf } from '../concerns/concerns.ts'
import { CONTROL, INSPECTOR } from '../owners/builtins.ts'
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

type State = 'gc' | 'native' | 'idle'
const states: ReadonlyMap<string, State> = new Map([
  ['(garbage collector)', 'gc'],
  ['(program)', 'native'],
  ['(idle)', 'idle'],
])

/** The time that a profile saw, in microseconds by the clock. */
export type SeenTime = ReturnType<typeof readSeenTime>

/** Splits the time of a profile: each sample counts for the nearest function on its stack that has an owner. */
export function readSeenTime(profile: Profiler.Profile, findOwner: FindOwner, concernOf: ConcernOf) {
  const { kinds, functionOf } = classify(profile.nodes, findOwner, concernOf)
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
    const kind = kinds.get(node) ?? 'native'
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
      const frame = functionOf.get(node)
      if (frame) add(getOrAdd(byFunction, kind), frame, lasted)
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

function getOrAdd(maps: Map<Part, Map<Frame, number>>, part: Part): Map<Frame, number> {
  const found = maps.get(part) ?? new Map<Frame, number>()
  maps.set(part, found)
  return found
}

const add = <Key>(sums: Map<Key, number>, key: Key, micros: number) =>
  void sums.set(key, (sums.get(key) ?? 0) + micros)

/**
 * Tells whose time each node's own time is, and in which function of that owner, by the id of the node. A function without an owner
 * works for its caller. Functions of Node.js itself are not told.
 */
function classify(nodes: readonly Profiler.ProfileNode[], findOwner: FindOwner, concernOf: ConcernOf) {
  const byId = new Map(nodes.map(node => [node.id, node]))
  const known = new Map<string, Part>()
  const intern = (part: Part) => {
    const key = `${part.concern}\n${part.owner}`
    known.set(key, known.get(key) ?? part)
    return known.get(key) as Part
  }
  const kinds = new Map<number, Part | State>()
  const functionOf = new Map<number, Frame>()
  const called = new Set(nodes.flatMap(({ children = [] }) => children))
  // The node, the part and the function of its caller, and the concern that takes the time of Node.js's modules below.
  const pending: [number, Part, Frame | undefined, string | undefined][] = nodes
    .filter(({ id }) => !called.has(id))
    .map(({ id }) => [id, RUNTIME, undefined, undefined])
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [id, caller, callerFrame, taker] = next
    const { callFrame, children = [] } = byId.get(id) as Profiler.ProfileNode
    const owner =
      findOwner(callFrame) ?? (caller === RUNTIME && isGenerated(callFrame) ? generated : undefined)
    const own = owner && concernOf(owner)
    const isBuiltin = owner?.kind === 'builtin'
    const concern = isBuiltin && own ? absorb(own, taker) : own
    const part = owner && concern ? intern({ concern, owner: owner.name, isBuiltin }) : caller
    kinds.set(id, states.get(callFrame.functionName) ?? part)
    const frame = part === caller && !own ? callerFrame : isBuiltin ? undefined : callFrame
    if (frame) functionOf.set(id, frame)
    const below = !own || (isBuiltin && !isTaker(own)) ? taker : own
    for (const child of children) pending.push([child, part, frame, below])
  }
  return { kinds, functionOf }
}

/** Whether code was made at run time. Native code has the script 0, and a thread's states are in parentheses. */
const isGenerated = ({ functionName, scriptId, url }: Profiler.ProfileNode['callFrame']) =>
  Number(scriptId) > 0 && !functionName.startsWith('(') && placeOf(url).kind === 'generated'
