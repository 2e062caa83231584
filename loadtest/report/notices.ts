import {
  adviseOn,
  describeNoisy,
  describeRefused,
  findPoorRows,
  type Judged,
  NOISY_FIGURES,
} from '../outcome/noisy.ts'
import type { Environment } from '../outcome/environment.ts'
import { counted } from '../outcome/format.ts'
import type { Results, RowResult } from '../outcome/results.ts'
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
  const ofRows = 'steps' in run ? rowChecks.map(check => check(run as Results, samples)) : []
  return [
    run.partial ? partial : null,
    ...ofRows,
    checkNoise(samples),
    checkRefusals(samples),
    'steps' in run ? checkProfiles(run as Results) : null,
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

const rowChecks: readonly ((results: Results, samples: Samples) => Notice | null)[] = [
  (results, samples) => {
    const poor = findPoorRows(results)
    return poor.length === 0
      ? null
      : {
          title: 'Too few samples',
          text: `Not enough valid samples: ${poor.join(', ')}. To repeat the run, ${adviseOn(samples)}.`,
        }
  },
  results => {
    const short = results.settings.looks ? [] : findShortRows(results)
    return short.length === 0
      ? null
      : { title: 'Uneven', text: `These rows have fewer blocks than other rows: ${short.join(', ')}.` }
  },
  ({ steps, settings: { rounds, baseline } }) =>
    rounds < LEAST_VALUES &&
    pairsOf(steps, baseline).every(({ comparison }) => comparison.mainThreadMicros.ci95 === null)
      ? {
          title: 'A first look',
          text: `${counted(rounds, 'block')} of samples: too few for intervals and verdicts.`,
        }
      : null,
]

function checkProfiles({ steps }: Results): Notice | null {
  const troubles = steps.flatMap(({ name, spectrum }) =>
    spectrum?.reason ? [`${name}: ${spectrum.reason}`] : [],
  )
  return troubles.length === 0
    ? null
    : { title: 'Profiles', text: `Some could not be used: ${troubles.join('; ')}.` }
}

function findShortRows({ steps }: Results): string[] {
  const blocksOf = ({ samples }: RowResult) => new Set(samples.map(({ round }) => round)).size
  const most = Math.max(...steps.map(blocksOf))
  return steps
    .filter(row => row.didNotRun === undefined && blocksOf(row) < most)
    .map(row => `${row.name} (${blocksOf(row)} of ${most})`)
}
