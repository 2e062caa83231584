import { readEnvironment } from '../outcome/environment.ts'
import { isNoisy, type Judged } from '../outcome/noisy.ts'
import type { SavedRun } from '../outcome/results.ts'
import { saveResults } from '../outcome/results-file.ts'
import { type Measuring, measure, type Taken } from './measure.ts'
import { createProgress } from './progress.ts'

/** The results of a run of rounds: what every run saves, and what was found. */
export type RoundsResults<Settings extends SavedRun['settings'], Found> = SavedRun & {
  readonly kind: string
  readonly partial: boolean
  readonly settings: Settings
} & Found

/** A measurement of a fixed number of rounds, each with a sample of every row. */
interface Rounds<Row, Sample extends Taken & Judged, Settings extends SavedRun['settings'], Found>
  extends Pick<Measuring<Row, Sample, Found>, 'rows' | 'take'> {
  readonly settings: Settings
  nameOf(row: Row): string
  /** Whether nothing is saved, and only each round has a line in a pipe, not each sample. */
  readonly isBrief?: boolean
  summarize(samples: ReadonlyMap<Row, readonly Sample[]>): Found
}

/** Measures, saves the results after each sample, and tells on stderr how far it has come. */
export function measureRounds<
  Row,
  Sample extends Taken & Judged,
  Settings extends SavedRun['settings'],
  Found,
>(
  declared: Rounds<Row, Sample, Settings, Found>,
  abort: AbortSignal,
): Promise<RoundsResults<Settings, Found>> {
  const { rows, settings, isBrief = false, summarize } = declared
  const environment = readEnvironment()
  const { rounds, seed } = settings
  const startedAtMs = performance.now()
  return measure<Row, Sample, RoundsResults<Settings, Found>>(
    {
      ...declared,
      ...{ seed, save: isBrief ? () => {} : saveResults },
      next: ({ blocks }) => (blocks < rounds ? rows : []),
      results: (samples, { partial }) => ({
        schemaVersion: 1,
        kind: settings.command,
        partial,
        noisy: [...samples.values()].flat().some(isNoisy),
        environment,
        settings,
        ...summarize(samples),
      }),
      progress: createProgress<Row, Sample>({
        ...declared,
        ...{ rounds, seed, startedAtMs, verbose: !isBrief },
      }),
    },
    abort,
  )
}
