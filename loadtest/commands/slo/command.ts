import { toFlags } from '../../../lib/cli/command-line.ts'
import { duration, integer } from '../../../lib/cli/options.ts'
import { UserError } from '../../../lib/cli/user-error.ts'
import type { LoadTestCommand } from '../../declaration/command.ts'
import { printRun } from '../../declaration/print-run.ts'
import { warnOfNoise } from '../../declaration/warn-of-noise.ts'
import { loadOptions, openOptions, rowOptions, samplingOptions } from '../../options.ts'
import { adviseOn } from '../../outcome/advice.ts'
import { resultsFile } from '../../outcome/results-file.ts'
import { abortWhenAsked } from '../../run/abort.ts'
import { tryVersions } from '../../run/try-versions.ts'
import { selectRows } from '../../sample/rows.ts'
import { drawSeed } from '../../settings-from.ts'
import { sloPresentation as presentation } from './presentation.ts'
import { runSlo } from './run.ts'
import { HIGHEST_RATE, LOWEST_RATE } from './search.ts'

const { threads, seed, acceptNoise, slides, json } = samplingOptions

const options = {
  ...rowOptions,
  p99Ms: duration({
    minMs: 1,
    default: '100ms',
    help: 'the limit: 99 of 100 requests are answered within this time',
  }),
  rate: integer({
    min: LOWEST_RATE,
    max: HIGHEST_RATE,
    default: '50',
    help: 'requests a second of the first sample; the search doubles or halves it from there',
  }),
  arrivals: openOptions.arrivals,
  ...loadOptions,
  threads,
  rounds: integer({ min: 1, max: 1000, default: '20', help: 'samples of every row' }),
  warmupMs: duration({ minMs: 100, default: '3s', help: samplingOptions.warmupMs.help.replace(/ \(.*/, '') }),
  durationMs: duration({
    minMs: 500,
    default: '5s',
    help: 'length of the measured window; at a low rate it is longer',
  }),
  ...{ seed, acceptNoise, slides, json },
}

/** Searches the highest rate at which p99 stays within a limit. */
export const slo: LoadTestCommand<typeof options> = {
  usage: 'npm run loadtest -- slo [options]',
  description: `Searches the highest rate at which p99 stays within a limit. Requests are sent on a schedule, and latency counts from
the scheduled time; a rate also fails when more than 1 of 100 requests fail. The search goes up while the limit holds and
down while it does not, in ever smaller steps, and repeats samples on both sides of the rate that it reports. With
several steps, each block has one sample of every step.`,
  options,
  presentation,
  async run(values, _words, report) {
    const abort = abortWhenAsked()
    const chosen = { ...values, seed: values.seed ?? drawSeed() }
    const { p99Ms, rate, warmupMs, durationMs, scenario, connections, arrivals, rounds } = chosen
    const settings = {
      command: 'slo' as const,
      arguments: toFlags({ ...chosen, json: undefined, slides: undefined }),
      ...{ scenario, connections, arrivals, rounds, p99Ms, firstRate: rate, seed: chosen.seed },
      ...{ threads: values.threads, beside: null, acceptNoise: values.acceptNoise },
      ...{ warmupSeconds: warmupMs / 1000, durationSeconds: durationMs / 1000 },
    }
    const rows = await tryVersions(selectRows(values.steps, values.step, values), settings, abort)
    const results = await runSlo(rows, settings, abort)
    printRun(results, presentation, values.json)
    await report(results, values.slides)
    if (abort.aborted) throw new UserError(`interrupted; the partial results are in ${resultsFile(results)}`)
    const samples = presentation.samples(results)
    warnOfNoise(samples)
    const unknown = results.rows.filter(
      ({ finding, didNotRun }) => finding === 'nothing' && didNotRun === undefined,
    )
    if (unknown.length > 0)
      throw new UserError(
        `no valid sample: ${unknown.map(({ name }) => name).join(', ')}; ${adviseOn(samples)}`,
      )
  },
}
