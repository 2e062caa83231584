import { formatDuration } from '../../lib/units.ts'
import type { Judged } from '../outcome/noisy.ts'
import { type Measuring, measure, type Taken, type Telling } from './measure.ts'
import { createProgress } from './progress.ts'

/** A measurement of a fixed number of rounds, each with a sample of every row. */
interface Rounds<Row, Sample extends Taken & Pick<Judged, 'reason'>, Results>
  extends Pick<Measuring<Row, Sample, Results>, 'rows' | 'seed' | 'take' | 'results' | 'save'> {
  readonly rounds: number
  /** What the rows are, in the plural. */
  readonly noun: string
  nameOf(row: Row): string
  /** A guess of the time of a sample, with its start and end. */
  readonly sampleMs: number
  /** Whether each sample has a line in a pipe, and not only each round. */
  readonly verbose: boolean
  readonly promisedSeconds?: number | undefined
  /** More lines about the plan. */
  describePlan?(results: Results): readonly string[]
  /** Tells nothing in tests. */
  readonly progress?: Telling<Row, Sample, Results> | undefined
}

/** Measures, and tells on stderr how far it has come. */
export function measureRounds<Row, Sample extends Taken & Pick<Judged, 'reason'>, Results>(
  declared: Rounds<Row, Sample, Results>,
  abort: AbortSignal,
): Promise<Results> {
  const { rows, rounds, noun, seed, sampleMs, describePlan = () => [] } = declared
  const startedAtMs = performance.now()
  const progress = createProgress<Row, Sample>({ ...declared, lengthOf: () => sampleMs, startedAtMs })
  const plan = (results: Results) => {
    const lengthMs = rounds * rows.length * sampleMs
    progress.say(
      `${rounds} rounds of ${rows.length} ${noun}, about ${formatDuration(lengthMs)}; order from seed ${seed}`,
    )
    progress.foresee(startedAtMs + lengthMs, 'there are many or long samples')
    for (const line of describePlan(results)) progress.say(line)
  }
  const next: Measuring<Row, Sample, Results>['next'] = ({ blocks }) => (blocks < rounds ? rows : [])
  return measure({ ...declared, next, progress: declared.progress ?? { ...progress, plan } }, abort)
}
