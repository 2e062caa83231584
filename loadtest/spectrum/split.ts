import type { Profiler } from 'node:inspector'
import { record } from '../../lib/record.ts'
import { fromCallers, readSamples, states } from './profile.ts'
import type { ThreadProfile } from './profiler.ts'
import { findSlice } from './rules.ts'
import { slices, type ThreadSpectrum } from './spectrum.ts'

/**
 * Splits a thread's CPU time. V8 calls a thread idle whenever it is outside of JavaScript, so CPU time that it has not seen is
 * native: the event loop and the kernel. That alone would hide samples that V8 failed to take. So the thread burns a known
 * amount of CPU time, and the share of this control that the profile misses is taken as the share that it misses of everything,
 * and stays unattributed.
 */
export function split(
  { profile, cpuMicros }: Pick<ThreadProfile, 'profile' | 'cpuMicros'>,
  controlPercent: number,
  responses: number,
): Pick<ThreadSpectrum, 'cpuMicros' | 'shares' | 'unattributed'> {
  const seen = readSelfTime(profile)
  const control = (cpuMicros * controlPercent) / (100 + controlPercent)
  const own = cpuMicros - control
  const seenMicros = slices.reduce((sum, slice) => sum + seen[slice], 0)
  const missed = controlPercent > 0 ? Math.max(0, control / seen.control - 1) : 0
  const outsideMicros = Math.max(0, cpuMicros - seen.control - seenMicros - missed * seenMicros)
  const shares = record(slices, slice => (seen[slice] + (slice === 'native' ? outsideMicros : 0)) / own)
  return {
    cpuMicros: own / responses,
    shares,
    unattributed: 1 - slices.reduce((sum, slice) => sum + shares[slice], 0),
  }
}

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
