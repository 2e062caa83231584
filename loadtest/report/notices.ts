import type { Environment } from '../outcome/environment.ts'
import { counted } from '../outcome/format.ts'
import { findPoorRows } from '../outcome/poor-rows.ts'
import type { Results, RowResult } from '../outcome/results.ts'
import type { SavedRun } from '../outcome/saved-run.ts'
import type { Sample } from '../sample/sample.ts'
import { LEAST_VALUES } from '../statistics/thresholds.ts'

/** Something that the reader has to know before the figures. */
export interface Notice {
  readonly title: string
  readonly text: string
}

type Samples = readonly Pick<Sample, 'valid' | 'reason'>[]

/** The reasons to doubt a run. Empty for a run that is complete and has only valid samples. */
export const findNotices = (run: SavedRun, samples: Samples): Notice[] => {
  const ofRows = 'steps' in run ? rowChecks.map(check => check(run as Results)) : []
  return [
    run.partial ? partial : null,
    ...ofRows,
    describeRefusals(samples),
    'steps' in run ? checkProfiles(run as Results) : null,
    checkEnvironment(run.environment),
  ].filter(notice => notice !== null)
}

const partial: Notice = {
  title: 'Interrupted',
  text: 'The run was interrupted. The report shows the samples taken before that.',
}

/** Counts the refused samples by their reasons; null when there are none. */
function describeRefusals(samples: Samples): Notice | null {
  const refused = samples.filter(({ valid }) => !valid)
  if (refused.length === 0) return null
  const alike = Map.groupBy(
    refused,
    ({ reason }) => reason?.replaceAll(/\d+(\.\d+)?/g, '…') ?? 'no reason recorded',
  )
  const reasons = [...alike].map(([reason, { length }]) => `${length} × ${reason}`)
  return {
    title: `${refused.length} of ${samples.length} samples were refused`,
    text: `These samples are not used in any figure: ${reasons.join('; ')}.`,
  }
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

const rowChecks: readonly ((results: Results) => Notice | null)[] = [
  results => {
    const poor = findPoorRows(results)
    return poor.length === 0
      ? null
      : { title: 'Refused', text: `Not enough valid samples: ${poor.join(', ')}.` }
  },
  results => {
    const short = findShortRows(results)
    return short.length === 0
      ? null
      : { title: 'Uneven', text: `These rows have fewer blocks than other rows: ${short.join(', ')}.` }
  },
  ({ settings: { rounds } }) =>
    rounds < LEAST_VALUES
      ? {
          title: 'A first look',
          text: `${counted(rounds, 'block')} of samples: too few for intervals and verdicts, which need at least ${LEAST_VALUES}.`,
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
  return steps.filter(row => blocksOf(row) < most).map(row => `${row.name} (${blocksOf(row)} of ${most})`)
}
