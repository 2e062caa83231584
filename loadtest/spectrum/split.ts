import { record } from '../../lib/record.ts'
import type { ThreadProfile } from './profiler.ts'
import { readSelfTime } from './self-time.ts'
import { slices, type ThreadSpectrum } from './spectrum.ts'

/**
 * Splits a thread's CPU time.
 *
 * V8 calls a thread idle that is outside of it, asleep or awake. What a thread has used and V8 has not seen is the event
 * loop and the kernel on its behalf: native. That alone would hide samples that V8 failed to take. The control tells: as
 * much as is missing of what was burnt on purpose is missing of the rest, and so much of it stays unattributed.
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
