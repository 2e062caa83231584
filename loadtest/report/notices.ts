import type { Environment } from '../outcome/environment.ts'
import { counted } from '../outcome/format.ts'
import {
  adviseOn,
  describeNoisy,
  describeRefused,
  findPoorRows,
  type Judged,
  NOISY_FIGURES,
} from '../outcome/noisy.ts'
import type { Results } from '../outcome/results.ts'
import type { SavedRun } from '../outcome/saved-run.ts'
import { pairsOf } from '../outcome/summarize.ts'
import { LEAST_VALUES } from '../statistics/thresholds.ts'

/** Something that the reader has to know before the figures. */
export interface Notice {
  readonly title: string
  readonly text: string
}

type Samples = readonly Judged[]

/** The reasons to doubt a run. Empty for a run that is complete and has only valid samples. */
export const findNotices = (run: SavedRun, samples: Samples): Notice[] => {
  const results = 'steps' in run ? (run as Results) : null
  return [
    run.partial ? partial : null,
    results && checkRows(results, samples),
    results && checkBlocks(results),
    checkNoise(samples),
    checkRefusals(samples),
    results && checkProfiles(results),
    checkEnvironment(run.environment),
  ].filter(notice => notice !== null)
}

const partial: Notice = {
  title: 'Interrupted',
  text: 'The run was interrupted. The report shows the samples taken before that.',
}

function checkRefusals(samples: Samples): Notice | null {
  const refused = describeRefused(samples)
  return refused === null
    ? null
    : { title: 'Refused samples', text: `${refused}. These samples are not used in any figure.` }
}

function checkNoise(samples: Samples): Notice | null {
  const noisy = describeNoisy(samples)
  return noisy === null ? null : { title: 'Noisy', text: `${noisy}. ${NOISY_FIGURES}` }
}

function checkEnvironment({ commit }: Environment): Notice | null {
  if (commit === null) return { title: 'Unknown commit', text: 'The code was not in a git repository.' }
  return commit.endsWith('-dirty')
    ? {
        title: 'Uncommitted changes',
        text: 'The code had uncommitted changes, so nobody else can repeat this run.',
      }
    : null
}

function checkRows(results: Results, samples: Samples): Notice | null {
  const poor = findPoorRows(results)
  return poor.length === 0
    ? null
    : {
        title: 'Too few samples',
        text: `Not enough valid samples: ${poor.join(', ')}. To repeat the run, ${adviseOn(samples)}.`,
      }
}

const checkBlocks = ({ steps, settings: { rounds, baseline } }: Results): Notice | null =>
  rounds < LEAST_VALUES &&
  pairsOf(steps, baseline).every(({ comparison }) => comparison.mainThreadMicros.ci95 === null)
    ? {
        title: 'A first look',
        text: `${counted(rounds, 'block')} of samples: too few for intervals and verdicts.`,
      }
    : null

function checkProfiles({ steps }: Results): Notice | null {
  const troubles = steps.flatMap(({ name, spectrum }) =>
    spectrum?.reason ? [`${name}: ${spectrum.reason}`] : [],
  )
  return troubles.length === 0
    ? null
    : { title: 'Profiles', text: `Some could not be used: ${troubles.join('; ')}.` }
}
