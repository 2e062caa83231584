import { relative } from 'node:path'
import { seededRandom, shuffled } from '../lib/random.ts'
import { readEnvironment } from './environment.ts'
import type { Settings } from './options.ts'
import { createProgress } from './progress.ts'
import { type Results, saveResults, summarize } from './results.ts'
import type { Row } from './rows.ts'
import { type Sample, takeSample } from './sample.ts'

/**
 * Takes a sample of every row in each round, in an order drawn anew for each round, and saves after every sample.
 * @throws when a sample cannot be taken, or when `abort` is raised; what was measured is on disk
 */
export async function run(rows: readonly Row[], settings: Settings, abort: AbortSignal): Promise<Results> {
  const environment = readEnvironment()
  const samples = new Map<Row, Sample[]>(rows.map(row => [row, []]))
  const results = (): Results => ({
    schemaVersion: 1,
    environment,
    settings,
    steps: summarize(rows, samples),
  })
  const progress = createProgress(
    rows.length * settings.rounds,
    (settings.warmupSeconds + settings.durationSeconds) * 1000,
  )
  progress.plan(relative('.', saveResults(results())))

  const random = seededRandom(settings.seed)
  for (let round = 1; round <= settings.rounds; round++) {
    for (const row of shuffled(rows, random)) {
      abort.throwIfAborted()
      progress.started(row, round)
      const sample = await takeSample(row, round, settings, abort)
      samples.get(row)?.push(sample)
      saveResults(results())
      progress.finished(row, sample)
    }
  }
  return results()
}
