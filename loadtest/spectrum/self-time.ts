import type { Profiler } from 'node:inspector'
import { record } from '../../lib/record.ts'
import { findSlice } from './rules.ts'
import { readSamples } from './samples.ts'
import { slices } from './spectrum.ts'

/** The activities of a thread in which V8 saw it, in microseconds by the clock. */
export type SelfTime = Readonly<Record<Kind, number>>

const kinds = [...slices, 'control', 'idle'] as const
export type Kind = (typeof kinds)[number]

/** V8's names for activities that are no functions. */
const states: ReadonlyMap<string, Kind> = new Map([
  ['(garbage collector)', 'gc'],
  ['(program)', 'native'],
  ['(idle)', 'idle'],
])

/** Splits the time of a profile: each sample counts for the slice of the nearest function on its stack that has one. */
export function readSelfTime(profile: Profiler.Profile): SelfTime {
  const kindOf = classifyNodes(profile.nodes)
  const micros: Record<Kind, number> = record(kinds, () => 0)
  for (const { node, lasted } of readSamples(profile)) micros[kindOf.get(node) as Kind] += lasted
  return micros
}

/**
 * The slice of each node, by the node's id. A node without a rule has the slice of its caller; without a caller it
 * belongs to the runtime.
 */
function classifyNodes(nodes: readonly Profiler.ProfileNode[]): Map<number, Kind> {
  const byId = new Map(nodes.map(node => [node.id, node]))
  const kinds = new Map<number, Kind>()
  const visit = (
    { id, callFrame: { functionName, url }, children = [] }: Profiler.ProfileNode,
    caller: Kind,
  ) => {
    const kind = states.get(functionName) ?? findSlice(url) ?? caller
    kinds.set(id, kind)
    for (const child of children) visit(byId.get(child) as Profiler.ProfileNode, kind)
  }
  if (nodes[0]) visit(nodes[0], 'runtime')
  return kinds
}
