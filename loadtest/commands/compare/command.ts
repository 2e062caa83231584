import { renderColumns } from '../../../lib/cli/columns.ts'
import { percent, toggle } from '../../../lib/cli/options.ts'
import { UserError } from '../../../lib/cli/user-error.ts'
import type { LoadTestCommand } from '../../declaration/command.ts'
import { metricNames, wordOf } from '../../outcome/metrics.ts'
import { readResults } from '../../outcome/results-file.ts'
import type { Ratio } from '../../statistics/ratio.ts'
import { compareRuns, describeDifferences, findRegressions, type RunsComparison } from './compare-runs.ts'

const options = {
  thresholdPercent: percent({
    min: 0,
    max: 1000,
    default: '5%',
    help: 'a row that is worse by more than this is a regression: exit code 1',
  }),
  json: toggle({ help: 'print the comparison as JSON on stdout' }),
} as const

export const compare: LoadTestCommand<typeof options> = {
  usage: 'npm run loadtest -- compare A.json B.json [options]',
  description: `Compares two runs: each row of B over the row of the same name in A. This ratio also contains every change of the
machine between the two runs. The last two columns do not: they compare each row in terms of its run's first row.`,
  options,
  takesWords: true,
  async run({ thresholdPercent, json }, words) {
    if (words.length !== 2)
      throw new UserError(`compare takes two files of results, received ${words.length}`)
    const [a, b] = words.map(readResults) as [ReturnType<typeof readResults>, ReturnType<typeof readResults>]
    for (const line of describeDifferences(a, b)) process.stderr.write(`warning: ${line}\n`)
    const rows = compareRuns(a, b)
    const regressions = findRegressions(rows, thresholdPercent / 100)
    const answer = { schemaVersion: 1, thresholdPercent, rows, regressions }
    process.stdout.write(json ? `${JSON.stringify(answer, null, 2)}\n` : `${render(rows)}\n`)
    if (regressions.length > 0)
      throw new UserError(`worse by more than ${thresholdPercent} %: ${regressions.join(', ')}`)
  },
}

const render = (rows: readonly RunsComparison[]) =>
  renderColumns(
    rows.flatMap(row => knownOf(row).map(metric => ({ row, metric, ...row.ratios[metric] }))),
    [
      { title: 'row', cell: ({ row }) => row.name },
      { title: 'metric', cell: ({ metric }) => metric },
      { title: 'A', cell: ({ row, metric }) => row.medians[metric].a?.toFixed(1) ?? '-' },
      { title: 'B', cell: ({ row, metric }) => row.medians[metric].b?.toFixed(1) ?? '-' },
      { title: 'B / A', cell: interval },
      { title: 'verdict', cell: ({ metric, verdict }) => wordOf(metric, verdict) },
      { title: 'in terms of the first', cell: ({ row, metric }) => interval(row.versusFirst?.[metric]) },
      {
        title: 'verdict',
        cell: ({ row, metric }) => (row.versusFirst ? wordOf(metric, row.versusFirst[metric].verdict) : '-'),
      },
    ],
  )

/** The metrics that at least one of the runs has measured for the row. */
const knownOf = ({ medians }: RunsComparison) =>
  metricNames.filter(metric => medians[metric].a !== null || medians[metric].b !== null)

function interval(given: Ratio | undefined): string {
  if (!given?.ci95) return given?.ratio?.toFixed(3) ?? '-'
  return `${given.ratio?.toFixed(3)} [${given.ci95.map(end => end.toFixed(3)).join(', ')}]`
}
