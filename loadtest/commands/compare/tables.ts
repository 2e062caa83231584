import { renderColumns } from '../../../lib/cli/columns.ts'
import { formatRatio } from '../../outcome/format.ts'
import { metricNames, wordOf } from '../../outcome/metrics.ts'
import type { RunsComparison } from './compare-runs.ts'
import { METRIC, type PastRow, type PastRun, type Trace } from './trace-runs.ts'

export function renderComparison(rows: readonly RunsComparison[]): string {
  const lines = rows.flatMap(row => knownOf(row).map(metric => ({ row, metric, ...row.ratios[metric] })))
  return renderColumns(lines, [
    { title: 'row', cell: ({ row }) => row.name },
    { title: 'metric', cell: ({ metric }) => metric },
    { title: 'A', cell: ({ row, metric }) => row.medians[metric].a?.toFixed(1) ?? '-' },
    { title: 'B', cell: ({ row, metric }) => row.medians[metric].b?.toFixed(1) ?? '-' },
    { title: 'B / A', cell: ratio => formatRatio(ratio, 3) },
    { title: 'verdict', cell: ({ metric, verdict }) => wordOf(metric, verdict) },
    { title: 'in terms of the first', cell: ({ row, metric }) => formatRatio(row.versusFirst?.[metric], 3) },
    {
      title: 'verdict',
      cell: ({ row, metric }) => (row.versusFirst ? wordOf(metric, row.versusFirst[metric].verdict) : '-'),
    },
  ])
}

/** The metrics that at least one of the runs has measured for the row. */
const knownOf = ({ medians }: RunsComparison) =>
  metricNames.filter(metric => medians[metric].a !== null || medians[metric].b !== null)

/** A line for each row of each run, and below them what became worse, and where Node.js changed. */
export function renderTrace(trace: Trace): string {
  const { first, runs } = trace
  const names = [...new Set(runs.flatMap(({ rows }) => rows.map(({ name }) => name)))]
  const lines = names.flatMap(name =>
    runs.flatMap(run => run.rows.filter(row => row.name === name).map(row => ({ run, row }))),
  )
  const table = renderColumns(lines, [
    { title: 'row', cell: ({ row }) => row.name },
    { title: 'commit', cell: ({ run }) => nameRun(run) },
    { title: 'date', cell: ({ run }) => run.date.slice(0, 16).replace('T', ' ') },
    { title: 'Node.js', cell: ({ run }) => run.node },
    { title: `× ${first}`, cell: ({ row }) => formatRatio(row.versusFirst, 3) },
    { title: '× run before', cell: ({ row }) => formatRatio(row.versusBefore ?? undefined, 3) },
    { title: 'verdict', cell: ({ row }) => describeVerdict(row) },
    { title: 'noisy', cell: ({ run }) => (run.noisy ? 'noisy' : '-') },
  ])
  return [table, ...describeUpgrades(trace), describeWorse(trace)].join('\n\n')
}

/** Rows that are clearly worse than in the run before: `apm at 1a2b3c4 × 1.21 [1.10, 1.33]`. */
export const findWorse = ({ runs }: Trace): string[] =>
  runs.flatMap(run =>
    run.rows
      .filter(isWorse)
      .map(
        ({ name, versusBefore }) =>
          `${name} at ${nameRun(run)} × ${formatRatio(versusBefore ?? undefined, 2)}`,
      ),
  )

const isWorse = ({ versusBefore }: PastRow): boolean => versusBefore?.verdict === 'slower'

function describeWorse(trace: Trace): string {
  const worse = findWorse(trace)
  if (worse.length > 0) return `Worse than in the run before: ${worse.join(', ')}.`
  return trace.runs.some(({ rows }) => rows.some(({ versusBefore }) => versusBefore?.ci95))
    ? 'No row is clearly worse than in the run before.'
    : 'The runs have too few blocks to say whether a row became worse.'
}

/** The name of a run: its commit, or its day without one. */
const nameRun = ({ commit, date }: PastRun): string =>
  commit === null ? date.slice(0, 10) : commit.replace(/^(\w{7})\w*/, '$1')

/** Says where Node.js changed, because a run is compared with runs on the same version only. */
const describeUpgrades = ({ runs }: Trace): string[] =>
  runs.flatMap((run, index) => {
    const before = runs[index - 1]
    if (!before || before.node === run.node) return []
    return [
      `Node.js is ${before.node} until ${nameRun(before)} and ${run.node} from ${nameRun(run)} on: a difference between the two is not called worse.`,
    ]
  })

/** A verdict that is worse has a sign, so that it is found among many lines. */
const describeVerdict = (row: PastRow): string =>
  row.versusBefore === null ? '-' : `${isWorse(row) ? '✗ ' : ''}${wordOf(METRIC, row.versusBefore.verdict)}`
