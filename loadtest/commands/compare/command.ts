import { choice, percent, text, toggle } from '../../../lib/cli/options.ts'
import { UserError } from '../../../lib/cli/user-error.ts'
import type { LoadTestCommand } from '../../declaration/command.ts'
import { scenarioNames } from '../../generator/scenarios.ts'
import { metricNames } from '../../outcome/metrics.ts'
import { allResults } from '../../outcome/results-file.ts'
import { compareRuns, describeDifferences, findRegressions } from './compare-runs.ts'
import { isDirectoryOfRuns, readRuns } from './read-runs.ts'
import { findWorse, renderComparison, renderTrace } from './tables.ts'
import { type Source, traceRuns } from './trace-runs.ts'

const options = {
  thresholdPercent: percent({
    min: 0,
    max: 1000,
    default: '5%',
    help: 'of two runs: a row that is worse by more than this is a regression: exit code 1',
  }),
  metric: choice({
    choices: metricNames,
    default: 'mainThreadMicros',
    help: 'of many runs: the figure to trace',
  }),
  scenario: choice({ choices: scenarioNames, help: 'of many runs: take those of this scenario only' }),
  first: text({
    placeholder: 'NAME',
    help: 'of many runs: take those only whose first row has this name, such as monolith',
  }),
  json: toggle({ help: 'print the comparison as JSON on stdout' }),
} as const

export const compare: LoadTestCommand<typeof options> = {
  usage: 'npm run loadtest -- compare [A.json B.json | FILE | DIRECTORY ...] [options]',
  description: `Compares two runs: each row of B over the row of the same name in A. This ratio also contains every change of the
machine between the two runs. The last two columns do not: they compare each row in terms of its run's first row.
With more runs of one machine, or a directory of them (without names ${allResults}), it shows each row over the
commits, in terms of the first row, and marks rows that are clearly worse than in the run before.`,
  options,
  takesWords: true,
  async run({ thresholdPercent, metric, scenario, first, json }, words) {
    const paths = words.length > 0 ? words : [allResults]
    const print = (found: object, table: string) =>
      process.stdout.write(`${json ? JSON.stringify({ schemaVersion: 1, ...found }, null, 2) : table}\n`)
    if (paths.length === 2 && !paths.some(isDirectoryOfRuns)) {
      const [{ run: a }, { run: b }] = paths.flatMap(path => readRuns([path])) as [Source, Source]
      for (const line of describeDifferences(a, b)) process.stderr.write(`warning: ${line}\n`)
      const rows = compareRuns(a, b)
      const regressions = findRegressions(rows, thresholdPercent / 100)
      print({ thresholdPercent, rows, regressions }, renderComparison(rows))
      if (regressions.length > 0)
        throw new UserError(`worse by more than ${thresholdPercent} %: ${regressions.join(', ')}`)
      return
    }
    const sources = readRuns(paths).filter(
      ({ run }) =>
        (scenario === undefined || run.settings.scenario === scenario) &&
        (first === undefined || run.steps[0]?.name === first),
    )
    const trace = traceRuns(sources, metric)
    print({ metric, ...trace, worse: findWorse(trace) }, renderTrace(trace, metric))
  },
}
