import type { Profiler } from 'node:inspector'
import { record } from '../../lib/record.ts'
import { fromCallers, readSamples, states } from './profile.ts'
import { findSlice } from './rules.ts'
import { slices } from './spectrum.ts'

/** The activities of a thread in which V8 saw it, in microseconds by the clock. */
export type SelfTime = Readonly<Record<Kind, number>>

const kinds = [...slices, 'control', 'idle'] as const
export type Kind = (typeof kinds)[number]

/**
 * Splits the time of a profile: each sample counts for the slice of the nearest function on its stack that has one, and for the runtime
 * if none has.
 */
export function readSelfTime(profile: Profiler.Profile): SelfTime {
  const kindOf = fromCallers<Kind>(
    profile.nodes,
    'runtime',
    ({ functionName, url }, caller) => states.get(functionName) ?? findSlice(url) ?? caller,
  )
  const micros: Record<Kind, number> = record(kinds, () => 0)
  for (const { node, lasted } of readSamples(profile)) micros[kindOf.get(node) as Kind] += lasted
  return micros
}
