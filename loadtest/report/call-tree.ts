import type { Profiler } from 'node:inspector'
import { readSamples } from '../spectrum/samples.ts'
import { classifyNodes, type Kind } from '../spectrum/self-time.ts'

/** A function at its place on the stack, with all functions that it called. */
export interface Frame {
  readonly name: string
  readonly kind: Kind
  /** Microseconds by the clock, of the function itself and of all that it called. */
  readonly value: number
  readonly children: readonly Frame[]
}

/** Frames below this share of the whole are left out: no screen shows them. */
const LEAST_SHARE = 0.0005

/** Converts a profile into a tree of calls, without the time in which the thread slept. */
export function readCallTree(profile: Profiler.Profile): Frame {
  const kinds = classifyNodes(profile.nodes)
  const byId = new Map(profile.nodes.map(node => [node.id, node]))
  const selfMicros = selfTimes(profile)
  const visit = ({ id, callFrame, children = [] }: Profiler.ProfileNode): Frame => {
    const called = children
      .map(child => byId.get(child))
      .filter(node => node !== undefined)
      .map(visit)
      .filter(({ kind, value }) => kind !== 'idle' && value > 0)
    const value = called.reduce((sum, frame) => sum + frame.value, selfMicros.get(id) ?? 0)
    return { name: nameOf(callFrame), kind: kinds.get(id) as Kind, value, children: called }
  }
  const [root] = profile.nodes
  if (!root) throw new RangeError('the profile is empty')
  const tree = visit(root)
  return prune({ ...tree, name: 'all' }, tree.value * LEAST_SHARE)
}

function selfTimes(profile: Profiler.Profile): Map<number, number> {
  const micros = new Map<number, number>()
  for (const { node, lasted } of readSamples(profile)) micros.set(node, (micros.get(node) ?? 0) + lasted)
  return micros
}

const prune = (frame: Frame, leastMicros: number): Frame => ({
  ...frame,
  value: Math.round(frame.value),
  children: frame.children
    .filter(({ value }) => value >= leastMicros)
    .map(child => prune(child, leastMicros)),
})

function nameOf({ functionName, url, lineNumber }: Profiler.ProfileNode['callFrame']): string {
  const file = url
    .replace(/^file:\/\//, '')
    .split('/node_modules/')
    .at(-1) as string
  const short = file.split('/').slice(-2).join('/')
  return `${functionName || '(anonymous)'}${short ? ` ${short}:${lineNumber + 1}` : ''}`
}
