import { formatDuration } from '../../lib/units.ts'
import { type Environment, readEnvironment } from '../outcome/environment.ts'
import { isNoisy, type Judged } from '../outcome/noisy.ts'
import type { SavedRun } from '../outcome/results.ts'
import { resultsFile, saveResults } from '../outcome/results-file.ts'
import { type Measuring, measure, type Taken, type Telling } from './measure.ts'
import { createProgress } from './progress.ts'

/** The settings of a run of rounds, as its results save them. */
export type RoundsSettings = SavedRun['settings'] & {
  /** The time in which the run was promised to end; absent when nothing was promised. */
  readonly promisedSeconds?: number
}

/** The results of a run of rounds: what every run saves, and what was found. */
export type RoundsResults<Settings extends RoundsSettings, Found> = SavedRun & {
  /** The command that has measured it. */
  readonly kind: string
  readonly partial: boolean
  readonly settings: Settings
} & Found

/** A measurement of a fixed number of rounds, each with a sample of every row. */
interface Rounds<Row, Sample extends Taken & Judged, Settings extends RoundsSettings, Found>
  extends Pick<Measuring<Row, Sample, Found>, 'rows' | 'take'> {
  readonly settings: Settings
  readonly environment?: Environment
  /** What the rows are, in the plural. */
  readonly noun: string
  nameOf(row: Row): string
  /** A guess of the time of a sample, with its start and end. */
  readonly sampleMs: number
  /** Whether nothing is saved, and only each round has a line in a pipe, not each sample. */
  readonly isBrief?: boolean
  /** What the samples so far have found. */
  summarize(samples: ReadonlyMap<Row, readonly Sample[]>): Found
  /** Tests put their own in the place of these. */
  readonly save?: (results: RoundsResults<Settings, Found>) => void
  readonly progress?: Telling<Row, Sample, unknown>
}

/** Measures, saves the results after each sample, and tells on stderr how far it has come. */
export function measureRounds<Row, Sample extends Taken & Judged, Settings extends RoundsSettings, Found>(
  declared: Rounds<Row, Sample, Settings, Found>,
  abort: AbortSignal,
): Promise<RoundsResults<Settings, Found>> {
  const { rows, settings, noun, sampleMs, isBrief = false, summarize } = declared
  const { environment = readEnvironment(), save = isBrief ? () => {} : saveResults } = declared
  const { rounds, seed, promisedSeconds } = settings
  const startedAtMs = performance.now()
  const progress = createProgress<Row, Sample>({
    ...declared,
    ...{ rounds, promisedSeconds, startedAtMs, verbose: !isBrief, lengthOf: () => sampleMs },
  })
  return measure<Row, Sample, RoundsResults<Settings, Found>>(
    {
      ...declared,
      ...{ seed, save },
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
      progress: declared.progress ?? {
        ...progress,
        plan() {
          const lengthMs = rounds * rows.length * sampleMs
          progress.say(
            `${rounds} rounds of ${rows.length} ${noun}, about ${formatDuration(lengthMs)}; order from seed ${seed}`,
          )
          progress.foresee(startedAtMs + lengthMs, 'there are many or long samples')
          if (!isBrief) progress.say(`results go to ${resultsFile({ environment })}`)
        },
      },
    },
    abort,
  )
}
