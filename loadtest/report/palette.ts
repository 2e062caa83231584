import { concernColors, type SliceColor } from '../../app/concern-colors.ts'
import type { Verdict } from '../../lib/verdict.ts'
import type { Slice } from '../spectrum/spectrum.ts'

/**
 * One colour for each slice, the same in every plot. Slices that belong to no concern have muted colours. Each plot also names
 * its slices, so that nothing is said by colour alone.
 */
export const sliceColors: Readonly<Record<Slice, SliceColor>> = {
  ...concernColors,
  application: { fill: '#6e9895', ink: '#14161a' },
  http: { fill: '#4c686d', ink: '#ffffff' },
  runtime: { fill: '#907e67', ink: '#14161a' },
  gc: { fill: '#79819b', ink: '#14161a' },
  native: { fill: '#706150', ink: '#ffffff' },
}

export const verdictColors: Readonly<Record<Verdict, string>> = {
  faster: 'var(--good)',
  slower: 'var(--bad)',
  equivalent: 'var(--quiet)',
  inconclusive: 'var(--quiet)',
}
