import { existsSync } from 'node:fs'
import { toggle } from '../../../lib/cli/options.ts'
import { UserError } from '../../../lib/cli/user-error.ts'
import type { LoadTestCommand } from '../../declaration/command.ts'
import { allResults, noRunYet } from '../../outcome/results-file.ts'
import { compareRuns, describeDifferences, findRegressions } from './compare-runs.ts'
import { isDirectoryOfRuns, readRuns } from './read-runs.ts'
import { findWorse, renderComparison, renderTrace } from './tables.ts'
import { type Source, traceRuns } from './trace-runs.ts'

/** Of two runs, a row that is worse by more than this is a regression: exit code 1. */
const THRESHOLD_PERCENT = 5

const options = {
  json: toggle({ help: 'print the comparison as JSON on stdout' }),
} as const

export const compare: LoadTestCommand<typeof options> = {
  usage: 'npm run loadtest -- compare [A.json B.json | FILE | DIRECTORY ...] [options]',
  description: `Compares two runs: each row of B over the row of the same name in A. This ratio also contains every change of the
machine between the two runs. The last two columns do not: they compare each row in terms of its run's first row.
A row of B that is clearly worse, and by more than ${THRESHOLD_PERCENT} %, is a regression: exit code 1.
With more runs of one machine, or a directory of them (without names ${allResults}), it shows the main-thread cost of each row
over the commits, in terms of the first row, and marks rows that are clearly worse than in the run before. Runs that were
measured in another way than the last one are left out.`,
  options,
  takesWords: true,
  async run({ json }, words) {
    if (words.length === 0 && !existsSync(allResults)) throw noRunYet()
    const paths = words.length > 0 ? words : [allResults]
    const print = (found: object, table: string) =>
      process.stdout.write(`${json ? JSON.stringify({ schemaVersion: 1, ...found }, null, 2) : table}\n`)
    if (paths.length === 2 && !paths.some(isDirectoryOfRuns)) {
      const [{ run: a }, { run: b }] = paths.flatMap(path => readRuns([path])) as [Source, Source]
      for (const line of describeDifferences(a, b)) warn(line)
      const rows = compareRuns(a, b)
      const regressions = findRegressions(rows, THRESHOLD_PERCENT / 100)
      print({ thresholdPercent: THRESHOLD_PERCENT, rows, regressions }, renderComparison(rows))
      if (regressions.length > 0)
        throw new UserError(`worse by more than ${THRESHOLD_PERCENT} %: ${regressions.join(', ')}`)
      return
    }
    const trace = traceRuns(readRuns(paths), warn)
    print({ ...trace, worse: findWorse(trace) }, renderTrace(trace))
  },
}

const warn = (line: string) => process.stderr.write(`warning: ${line}\n`)
