import type { Row } from '../sample/rows.ts'
import type { Sample } from '../sample/sample.ts'

/** Foresees how long the rest of a run with a fixed number of blocks takes, from the samples that it has taken. */
export function forecastSamples(rows: readonly Row[], rounds: number) {
  let startedAtMs: number | undefined
  let taken = 0
  let round = 0
  let seen = new Set<Row>()
  return {
    started(): void {
      startedAtMs ??= performance.now()
    },
    /** @returns milliseconds until all other samples have been taken */
    leftAfter(row: Row, sample: Pick<Sample, 'round' | 'valid'>): number {
      taken++
      if (sample.round !== round) seen = new Set()
      round = sample.round
      seen.add(row)
      const repetitions = sample.valid ? 0 : 1
      const left = (rounds - round + 1) * rows.length - seen.size + repetitions
      return (left * (performance.now() - (startedAtMs ?? performance.now()))) / taken
    },
  }
}
