import type { Settings } from '../outcome/settings.ts'
import { type Row, warmupSecondsOf } from '../sample/rows.ts'
import type { Sample } from '../sample/sample.ts'

/** The planned length of a sample without its start and stop, in milliseconds. A window in slow motion is longer. */
export const plannedMs = (row: Row, settings: Pick<Settings, 'warmupSeconds' | 'durationSeconds'>): number =>
  (warmupSecondsOf(row, settings) + settings.durationSeconds / (row.cores?.speed ?? 1)) * 1000

/**
 * Foresees how long the rest of a run with a fixed number of blocks takes, from the samples that it has taken.
 * @param lengthOf the planned length of a sample of a row, in any unit
 */
export function forecastSamples(rows: readonly Row[], rounds: number, lengthOf: (row: Row) => number) {
  const blockLength = lengthsOf(rows)
  let startedAtMs: number | undefined
  let taken = 0
  let round = 0
  let seen = new Set<Row>()

  function lengthsOf(some: Iterable<Row>): number {
    return Iterator.from(some).reduce((sum, row) => sum + lengthOf(row), 0)
  }

  return {
    started(): void {
      startedAtMs ??= performance.now()
    },
    /** @returns milliseconds until all other samples have been taken */
    leftAfter(row: Row, sample: Pick<Sample, 'round' | 'valid'>): number {
      taken += lengthOf(row)
      if (sample.round !== round) seen = new Set()
      round = sample.round
      seen.add(row)
      const repetition = sample.valid ? 0 : lengthOf(row)
      const left = (rounds - round + 1) * blockLength - lengthsOf(seen) + repetition
      return (left * (performance.now() - (startedAtMs ?? performance.now()))) / taken
    },
  }
}
