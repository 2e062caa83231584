import { type Presentation, samplesOf } from '../declaration/presentation.ts'
import { counted } from '../outcome/format.ts'
import { adviseOn, describeNoisy, describeRefused, findPoorRows, NOISY_FIGURES } from '../outcome/noisy.ts'
import type { Results, SavedRun } from '../outcome/results.ts'
import { pairsOf } from '../outcome/summarize.ts'
import { LEAST_VALUES } from '../statistics/thresholds.ts'

interface Notice {
  readonly title: string
  readonly text: string
}

/** The reasons to doubt a run. Empty for a run that is complete and has only valid samples. */
export function findNotices(run: SavedRun, presentation: Presentation): Notice[] {
  const samples = samplesOf(run, presentation)
  const results = 'steps' in run ? (run as Results) : undefined
  const poor = results ? findPoorRows(presentation.measured(run), run.settings) : []
  const noisy = describeNoisy(samples)
  const refused = describeRefused(samples)
  const doubted = (results?.steps ?? []).flatMap(({ name, spectrum }) =>
    spectrum?.reason ? [`${name}: ${spectrum.reason}`] : [],
  )
  const { commit } = run.environment
  const notices: readonly [title: string, applies: unknown, text: string][] = [
    ['Interrupted', run.partial, 'The run was interrupted. The report shows the samples taken before that.'],
    [
      'Too few samples',
      poor.length > 0,
      `Not enough valid samples: ${poor.join(', ')}. To repeat the run, ${adviseOn(samples)}.`,
    ],
    [
      'A first look',
      results && isFirstLook(results),
      `${counted(run.settings.rounds, 'block')} of samples: too few for intervals and verdicts.`,
    ],
    ['Noisy', noisy, `${noisy}. ${NOISY_FIGURES}`],
    ['Refused samples', refused, `${refused}. These samples are not used in any figure.`],
    ['Profiles', doubted.length > 0, `Some could not be used: ${doubted.join('; ')}.`],
    ['Unknown commit', commit === null, 'The code was not in a git repository.'],
    [
      'Uncommitted changes',
      commit?.endsWith('-dirty'),
      'The code had uncommitted changes, so nobody else can repeat this run.',
    ],
  ]
  return notices.flatMap(([title, applies, text]) => (applies ? [{ title, text }] : []))
}

const isFirstLook = ({ steps, settings: { rounds, baseline } }: Results): boolean =>
  rounds < LEAST_VALUES &&
  pairsOf(steps, baseline).every(({ comparison }) => comparison.mainThreadMicros.ci95 === null)
