import { nounOf } from '../../../declaration/answer.ts'
import { type Content, type Presentation, remarks, table } from '../../../declaration/presentation.ts'
import { formatRatio } from '../../../outcome/format.ts'
import { type Metric, wordOf } from '../../../outcome/metrics.ts'
import type { History, PastRow, PastRun } from './results.ts'

export const historyPresentation: Presentation<History> = {
  heading: ({ first, settings }) => ({
    title: `The ${nounOf(settings.metric)} over commits`,
    introduction: `Several runs of one machine. The values of each row are divided by those of ${first} in the same blocks, so that changes of the machine cancel out.`,
  }),
  answer: history => {
    const worse = findRegressions(history)
    if (worse.length > 0) return `Worse than in the run before: ${worse.join(', ')}.`
    return history.runs.some(({ rows }) => rows.some(({ versusBefore }) => versusBefore?.ci95))
      ? 'No row is clearly worse than in the run before.'
      : 'The runs have too few blocks to say whether a row became worse.'
  },
  method: ({ runs, settings, first }) =>
    `${runs.length} runs of \`${settings.scenario}\`, in terms of ${first}`,
  content,
  plots: () => ['history'],
  samples: () => [],
}

/** The name of a run in tables and plots: its commit, or its day without one. */
export const nameRun = ({ commit, date }: PastRun): string =>
  commit === null ? date.slice(0, 10) : commit.replace(/^(\w{7})\w*/, '$1')

/** The names of all rows, in the order in which the runs have them. */
export const rowNames = ({ runs }: Pick<History, 'runs'>): string[] => [
  ...new Set(runs.flatMap(({ rows }) => rows.map(({ name }) => name))),
]

/** Rows that are clearly worse than in the run before: `apm at 1a2b3c4 × 1.21 [1.10, 1.33]`. */
export const findRegressions = ({ runs }: Pick<History, 'runs'>): string[] =>
  runs.flatMap(run =>
    run.rows
      .filter(isWorse)
      .map(
        ({ name, versusBefore }) =>
          `${name} at ${nameRun(run)} × ${formatRatio(versusBefore ?? undefined, 2)}`,
      ),
  )

export const isWorse = ({ versusBefore }: PastRow): boolean => versusBefore?.verdict === 'slower'

function content(history: History): Content[] {
  const { metric } = history.settings
  const lines = rowNames(history).flatMap(name =>
    history.runs.flatMap(run => run.rows.filter(row => row.name === name).map(row => ({ run, row }))),
  )
  return [
    table(`The ${nounOf(metric)} in terms of ${history.first}`, lines, [
      { title: 'row', cell: ({ row }) => row.name },
      { title: 'commit', cell: ({ run }) => nameRun(run) },
      { title: 'date', cell: ({ run }) => run.date.slice(0, 16).replace('T', ' ') },
      { title: 'Node.js', cell: ({ run }) => run.node },
      { title: `× ${history.first}`, cell: ({ row }) => formatRatio(row.versusFirst, 3) },
      { title: '× run before', cell: ({ row }) => formatRatio(row.versusBefore ?? undefined, 3) },
      { title: 'verdict', cell: ({ row }) => describeVerdict(metric, row) },
      { title: 'noisy', cell: ({ run }) => (run.noisy ? 'noisy' : '-') },
    ]),
    remarks([
      ...findRegressions(history).map(each => `Worse than in the run before: ${each}.`),
      ...describeUpgrades(history),
    ]),
  ]
}

/** Says where Node.js changed, because a run is compared with runs on the same version only. */
const describeUpgrades = ({ runs }: History): string[] =>
  runs.flatMap((run, index) => {
    const before = runs[index - 1]
    return before && before.node !== run.node
      ? [
          `Node.js is ${before.node} until ${nameRun(before)} and ${run.node} from ${nameRun(run)} on: a difference between the two is not called worse.`,
        ]
      : []
  })

/** A regression has a sign, so that it is found among many lines. */
const describeVerdict = (metric: Metric, row: PastRow): string =>
  row.versusBefore === null ? '-' : `${isWorse(row) ? '✗ ' : ''}${wordOf(metric, row.versusBefore.verdict)}`
