import type { Profiler } from 'node:inspector'
import { readSamples } from '../../loadtest/spectrum/samples.ts'
import { absorb } from '../concerns/absorb.ts'
import type { ConcernOf } from '../concerns/concerns.ts'
import { CONTROL } from '../owners/builtins.ts'
import type { FindOwner } from '../owners/owner-of.ts'

/** Time of one owner that works for one concern. */
export interface Part {
  readonly concern: string
  readonly owner: string
}

/** The time that a profile saw, in microseconds by the clock. */
export interface SeenTime {
  readonly samples: number
  readonly byPart: ReadonlyMap<Part, number>
  /** Time of garbage collection, by the part that ran when it began: that part's allocation was the one too many. */
  readonly gcByPart: ReadonlyMap<Part, number>
  /** Time awake outside of JavaScript. */
  readonly nativeMicros: number
  readonly controlMicros: number
}

/** JavaScript of Node.js that no owner called: timers, promises, queues. */
export const RUNTIME: Part = { concern: 'runtime', owner: 'Node.js' }

type State = 'gc' | 'native' | 'idle'
const states: ReadonlyMap<string, State> = new Map([
  ['(garbage collector)', 'gc'],
  ['(program)', 'native'],
  ['(idle)', 'idle'],
])

/** Splits the time of a profile: each sample counts for the nearest function on its stack that has an owner. */
export function readSeenTime(
  profile: Profiler.Profile,
  findOwner: FindOwner,
  concernOf: ConcernOf,
): SeenTime {
  const kinds = classify(profile.nodes, findOwner, concernOf)
  const [byPart, gcByPart] = [new Map<Part, number>(), new Map<Part, number>()]
  const micros = { native: 0, idle: 0 }
  let running = RUNTIME
  for (const { node, lasted } of readSamples(profile)) {
    const kind = kinds.get(node) ?? 'native'
    if (kind === 'gc') add(gcByPart, running, lasted)
    else if (typeof kind === 'string') micros[kind] += lasted
    else {
      if (kind.concern !== 'control') running = kind
      add(byPart, kind, lasted)
    }
  }
  const [control, parts] = takeControl(byPart)
  return {
    samples: profile.samples?.length ?? 0,
    byPart: parts,
    gcByPart,
    nativeMicros: micros.native,
    controlMicros: control,
  }
}

/** Takes the time out that watching took. @returns the time of the control, and the others' parts */
function takeControl(byPart: ReadonlyMap<Part, number>): [number, Map<Part, number>] {
  const isWatching = ([{ concern }]: [Part, number]) => concern === 'control'
  const control = [...byPart].find(entry => isWatching(entry) && entry[0].owner === CONTROL)?.[1] ?? 0
  return [control, new Map([...byPart].filter(entry => !isWatching(entry)))]
}

const add = (sums: Map<Part, number>, part: Part, micros: number) =>
  void sums.set(part, (sums.get(part) ?? 0) + micros)

/** Tells whose time each node's own time is, by the id of the node. A function without an owner works for its caller. */
function classify(
  nodes: readonly Profiler.ProfileNode[],
  findOwner: FindOwner,
  concernOf: ConcernOf,
): Map<number, Part | State> {
  const byId = new Map(nodes.map(node => [node.id, node]))
  const known = new Map<string, Part>()
  const intern = (part: Part) => {
    const key = `${part.concern}\n${part.owner}`
    known.set(key, known.get(key) ?? part)
    return known.get(key) as Part
  }
  const kinds = new Map<number, Part | State>()
  const pending: [number, Part, string | undefined][] = nodes[0] ? [[nodes[0].id, RUNTIME, undefined]] : []
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [id, caller, packageConcern] = next
    const { callFrame, children = [] } = byId.get(id) as Profiler.ProfileNode
    const owner = findOwner(callFrame)
    const own = owner && concernOf(owner)
    const isBuiltin = owner?.kind === 'builtin'
    const part =
      owner && own
        ? intern({ concern: isBuiltin ? absorb(own, packageConcern) : own, owner: owner.name })
        : caller
    kinds.set(id, states.get(callFrame.functionName) ?? part)
    for (const child of children) pending.push([child, part, isBuiltin || !own ? packageConcern : own])
  }
  return kinds
}
