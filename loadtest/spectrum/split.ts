import { record } from '../../lib/record.ts'
import type { ThreadProfile } from './profiler.ts'
import { readSelfTime } from './self-time.ts'
import { slices, type ThreadSpectrum } from './spectrum.ts'

/**
 * Splits a thread's CPU time. V8 calls a thread idle whenever it is outside of JavaScript, asleep or awake. CPU time
 * that V8 has not seen is therefore native: the event loop and the kernel working for it. That alone would hide
 * samples that V8 failed to take. The control shows them: the thread burns a known amount of CPU time on purpose, and
 * the share of this that the profile misses is taken as the share that it misses of everything. That share stays
 * unattributed.
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
