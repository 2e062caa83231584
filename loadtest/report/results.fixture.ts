import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { record } from '../../lib/record.ts'
import type { Results, RowResult } from '../outcome/results.ts'
import { predict, type Spectrum, slices } from '../spectrum/spectrum.ts'

/** Reads published results from `docs/results`. */
export const readPublished = <Run = Results>(name: string): Run =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../docs/results', `${name}.json`), 'utf8'))

/** Adds an invented spectrum to every row: half of it is compute, the rest is spread evenly. */
export function withSpectra(results: Results): Results {
  const spectra = results.steps.map((row, index) => makeSpectrum(row, index))
  const steps = results.steps.map((row, index) => ({
    ...row,
    spectrum: spectra[index] as Spectrum,
    prediction: predict(results.steps[index - 1], row, spectra[index - 1] ?? null),
  }))
  return { ...results, steps }
}

function makeSpectrum({ mainThreadMicros }: RowResult, index: number): Spectrum {
  const shares = record(slices, slice => (slice === 'compute' ? 0.5 : 0.04))
  return {
    thread: 'main',
    cpuMicros: mainThreadMicros.median ?? 0,
    shares,
    unattributed: 0.1,
    profile: `profiles/${index}.cpuprofile`,
    threads: [],
    reason: null,
  }
}
