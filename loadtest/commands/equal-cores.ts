import { appOptions } from '../../app/config.ts'
import { renderColumns } from '../../lib/columns.ts'
import type { Command } from '../../lib/command.ts'
import { choice, integer, integers } from '../../lib/options.ts'
import { scenarioNames } from '../generator/scenarios.ts'
import { loadOptions, openOptions, samplingOptions, settingsFrom } from '../options.ts'
import { calibrate, poolSizes } from '../run/calibration.ts'
import { chooseCores, countCores, MOST_CORES } from '../sample/cores.ts'
import { describeCores } from './cores-remarks.ts'
import { measureAndReport } from './measure-and-report.ts'
import { onCores } from './on-cores.ts'
import { onSameCores } from './tables.ts'

const { threads, ...sampling } = samplingOptions

const options = {
  cores: integer({
    min: 1,
    max: MOST_CORES,
    help: 'cores that each row shares with its sidecars; what asks has the others (default all, shared by all)',
  }),
  poolSizes: integers({
    min: 1,
    max: appOptions.threads.max,
    help: 'sizes of the pools to try before; a single one is taken as it is (default 1 to --cores; of many, some)',
  }),
  scenario: choice({
    choices: scenarioNames,
    default: 'mix',
    help: 'what the load asks for; /demo alone has no page, which the last step moves too',
  }),
  connections: loadOptions.connections,
  rate: integer({
    min: 1,
    max: 10_000,
    default: '100',
    help: 'requests a second for /hello beside the load',
  }),
  arrivals: openOptions.arrivals,
  ...sampling,
} as const

const CALIBRATION_ROUNDS = 2

export const equalCores: Command<typeof options> = {
  usage: 'npm run loadtest -- equal-cores [options]',
  description: `The same cores used in several ways: a monolith a core against one decomposed app whose threads share
those cores. What is answered, how long /hello waits beside it, what it costs, and how much memory it takes.`,
  options,
  async run(options) {
    const count = countCores(options.cores)
    const settings = () =>
      settingsFrom(
        'equal-cores',
        { ...options, threads: 1 },
        {
          ...options,
          beside: 'hello',
          besideRate: options.rate,
          baseline: 'first',
          decisive: 'goodput',
          cores: chooseCores(count),
        },
      )
    const plan = async (abort: AbortSignal) => {
      const asked = settings()
      const calibration = await calibrate({
        sizes: options.poolSizes ?? poolSizes(count),
        rounds: options.quick ? 1 : CALIBRATION_ROUNDS,
        settings: { ...asked, beside: null, besideRate: null },
        abort,
        say: line => process.stderr.write(line),
      })
      const chosen = { ...asked, threads: calibration.chosen }
      return { rows: onCores(count, calibration.chosen), settings: chosen, calibration }
    }
    await measureAndReport(plan, options, 'equal-cores', results =>
      [renderColumns(results.steps, onSameCores), ...describeCores(results)].join('\n\n'),
    )
  },
}
