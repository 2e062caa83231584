import { choice, text } from '../../../../lib/cli/options.ts'
import { UserError } from '../../../../lib/cli/user-error.ts'
import type { LoadTestCommand } from '../../../declaration/command.ts'
import { printRun } from '../../../declaration/print-run.ts'
import { scenarioNames } from '../../../generator/scenarios.ts'
import { samplingOptions } from '../../../options.ts'
import { readEnvironment } from '../../../outcome/environment.ts'
import { metricNames } from '../../../outcome/metrics.ts'
import { allResults, saveResults } from '../../../outcome/results-file.ts'
import { historyPresentation as presentation } from './presentation.ts'
import { readRuns } from './read.ts'
import type { History } from './results.ts'
import { traceRuns } from './trace.ts'

const { json, slides } = samplingOptions

const options = {
  metric: choice({ choices: metricNames, default: 'mainThreadMicros', help: 'the figure to trace' }),
  scenario: choice({ choices: scenarioNames, help: 'take the runs of this scenario only' }),
  first: text({
    placeholder: 'NAME',
    help: 'take the runs only whose first row has this name, such as monolith',
  }),
  slides,
  json,
}

/** Shows several runs of one machine over their commits. */
export const history: LoadTestCommand<typeof options> = {
  usage: 'npm run loadtest -- history [FILE | DIRECTORY ...] [options]',
  description: `Shows several runs of one machine over their commits, as a table and as a plot in a report: each row in terms of the
first row of its run, which should not change, such as step 0. Marks rows that are clearly worse than in the run
before. Without names it takes all complete runs in ${allResults}.`,
  options,
  takesWords: true,
  presentation,
  async run({ metric, scenario, first, json, slides }, words, report) {
    const sources = readRuns(words.length > 0 ? words : [allResults]).filter(
      ({ run }) =>
        (scenario === undefined || run.settings.scenario === scenario) &&
        (first === undefined || run.steps[0]?.name === first),
    )
    const traced = traceRuns(sources, metric)
    const newest = sources.find(({ run }) => run.environment.date === traced.runs.at(-1)?.date)?.run
    if (!newest) throw new UserError('there is no run')
    const results: History = {
      schemaVersion: 1,
      kind: 'history',
      environment: { ...newest.environment, date: readEnvironment().date },
      settings: {
        command: 'history',
        ...{ metric, scenario: newest.settings.scenario, rounds: traced.runs.length, seed: 0 },
      },
      ...traced,
    }
    saveResults(results)
    printRun(results, presentation, json)
    await report(results, slides)
  },
}
