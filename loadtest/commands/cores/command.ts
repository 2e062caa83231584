import { availableParallelism } from 'node:os'
import { appOptions } from '../../../app/config.ts'
import { integers, toggle } from '../../../lib/cli/options.ts'
import { rowsCommand } from '../../declaration/rows-command.ts'
import { loadOptions, rowOptions, samplingOptions, settingsFrom } from '../../options.ts'
import { bars, ratios } from '../../report/plots/metrics.ts'
import { chooseCoresApart } from '../../sample/cores.ts'
import { selectRows } from '../../sample/rows.ts'
import { coresColumns, describeCores } from './presentation.ts'
import { onCores, realCores, slowCores } from './rows.ts'
import { prepareSlowMotion, takeOnCores, WARMUP_MS } from './take.ts'

const { threads, quick, warmupMs, durationMs, rounds, ...sampling } = samplingOptions

/** With the default numbers of cores, a run of all steps takes 40 minutes. */
const ROUNDS = 2
const SLOW_CORES = [2, 4, 8, 16]
const DURATION_MS = 1000

export const cores = rowsCommand({
  name: 'cores',
  description: `Measures every step on more cores than the machine has, in slow motion: each thread of the app and its sidecars has a
core of its own that runs at a part of the speed, all together have as many as --cores says, and clocks run as slowly. Clients
and upstream are not slowed, because they stand for other machines. Needs Linux, and the right to make control groups.`,
  options: {
    cores: integers({
      min: 1,
      max: appOptions.threads.max,
      help: `numbers of cores; a list gives every step on each number (default ${SLOW_CORES.join()}; of real ones all but one)`,
    }),
    steps: rowOptions.steps,
    real: toggle({ help: 'measure on real cores, of which clients and upstream have the others' }),
    ...loadOptions,
    rounds: {
      ...rounds,
      help: `blocks, each with a sample of every row (default ${ROUNDS}, unless --budget)`,
    },
    warmupMs: {
      ...warmupMs,
      help: 'time under load at full speed, for each core, before the stack is slowed (default 3s)',
    },
    durationMs: { ...durationMs, help: 'length of the measured window by the slow clock (default 1s)' },
    ...sampling,
  },
  async plan(options) {
    const { real, scenario, connections } = options
    const counts = options.cores ?? (real ? [Math.max(1, availableParallelism() - 1)] : SLOW_CORES)
    const most = Math.max(...counts)
    if (real) chooseCoresApart(most)
    else prepareSlowMotion()
    const selected = selectRows(options.steps, undefined, {})
    const rows = counts.flatMap(count => onCores(selected, real ? realCores(count) : slowCores(count)))
    const settings = settingsFrom(
      'cores',
      {
        ...options,
        threads: most,
        quick: false,
        rounds: options.rounds ?? (options.budgetMs === undefined ? ROUNDS : undefined),
        durationMs: options.durationMs ?? DURATION_MS,
        warmupMs: options.warmupMs ?? WARMUP_MS,
      },
      { scenario, connections, decisive: 'goodput' },
    )
    return { rows, settings }
  },
  instruments: { take: takeOnCores },
  title: () => 'More cores',
  columns: () => coresColumns,
  remarks: describeCores,
  plots: [bars('goodput'), ratios('goodput')],
})
