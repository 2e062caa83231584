import { type Presentation, samplesOf } from '../declaration/presentation.ts'
import { adviseOn, describeNoisy, describeRefused, findPoorRows, NOISY_FIGURES } from '../outcome/noisy.ts'
import type { SavedRun } from '../outcome/results.ts'

interface Notice {
  readonly title: string
  readonly text: string
}

/** The reasons to doubt a run. Empty for a run that is complete and has only valid samples. */
export function findNotices(run: SavedRun, presentation: Presentation): Notice[] {
  const samples = samplesOf(run, presentation)
  const poor = 'steps' in run ? findPoorRows(presentation.measured(run), run.settings) : []
  const noisy = describeNoisy(samples)
  const refused = describeRefused(samples)
  const notices: readonly [title: string, applies: unknown, text: string][] = [
    ['Interrupted', run.partial, 'The run was interrupted. The report shows the samples taken before that.'],
    [
      'Too few samples',
      poor.length > 0,
      `Not enough valid samples: ${poor.join(', ')}. To repeat the run, ${adviseOn(samples)}.`,
    ],
    ['Noisy', noisy, `${noisy}. ${NOISY_FIGURES}`],
    ['Refused samples', refused, `${refused}. These samples are not used in any figure.`],
  ]
  return notices.flatMap(([title, applies, text]) => (applies ? [{ title, text }] : []))
}
