import { availableParallelism } from 'node:os'
import { appOptions } from '../../app/config.ts'
import { firstStep, lastStep } from '../../app/steps.ts'
import { choice, integer } from '../../lib/cli/options.ts'
import { busy, type Columns, mainThread, step, valid, versus } from '../declaration/columns.ts'
import { rowsCommand } from '../declaration/rows-command.ts'
import { scenarioNames } from '../generator/scenarios.ts'
import { BESIDE_RATE, loadOptions, samplingOptions, settingsFrom } from '../options.ts'
import { middle } from '../outcome/format.ts'
import { ratios } from '../report/plots/metrics.ts'
import { chooseCores, MOST_CORES } from '../sample/cores.ts'
import { type Row, rowOf, withApp } from '../sample/rows.ts'
import { describePlace } from './cores/presentation.ts'
import { slowCores } from './cores/rows.ts'
import { prepareSlowMotion, takeOnCores, WARMUP_MS } from './cores/take.ts'

const { threads: _, ...sampling } = samplingOptions

/** The window by the slow clock. */
const SLOW_DURATION_MS = 2000

export const equalCoresColumns: Columns = [
  step,
  { title: 'goodput/s', cell: row => middle(row.goodput, 0) },
  ...versus('versusFirst', 'goodput', 'goodput × first'),
  { title: '/hello p99 ms', cell: row => middle(row.besideP99Ms, 1) },
  ...versus('versusFirst', 'besideP99Ms', '/hello p99 × first'),
  { title: 'p99 ms', cell: row => middle(row.p99Ms, 1, false) },
  { title: 'total µs', cell: row => middle(row.totalMicros, 0) },
  ...versus('versusFirst', 'totalMicros', 'total µs × first'),
  { title: 'memory MiB', cell: row => middle(row.memoryMiB, 0, false) },
  ...versus('versusFirst', 'memoryMiB', 'memory × first').slice(0, 1),
  mainThread,
  { title: 'main threads busy', cell: busy.cell },
  valid,
]

export const equalCores = rowsCommand({
  name: 'equal-cores',
  description: `Uses the same cores in several ways: one monolith for each core against one decomposed app whose threads share
those cores. Measures goodput, how long /hello waits beside the load, total cost, and memory.`,
  options: {
    cores: integer({
      min: 1,
      max: MOST_CORES,
      help: 'cores for each row and its sidecars; the load generator has the other cores (default: all share all cores). More than there are run in slow motion',
    }),
    threads: integer({
      min: 1,
      max: appOptions.threads.max,
      help: 'threads of each pool of the decomposed app (default: one for each core)',
    }),
    scenario: choice({
      choices: scenarioNames,
      default: 'mix',
      help: 'the requests of the load; demo has no page, which the last step moves too',
    }),
    connections: loadOptions.connections,
    ...sampling,
  },
  plan(options) {
    const count = options.cores ?? Math.min(availableParallelism(), MOST_CORES)
    const { threads = count, warmupMs = WARMUP_MS, durationMs = SLOW_DURATION_MS } = options
    const isSlow = count > availableParallelism()
    if (isSlow) prepareSlowMotion()
    const rows = equalCoresRows(count, threads)
    const settings = settingsFrom(
      'equal-cores',
      { ...options, threads, ...(isSlow && { warmupMs, durationMs }) },
      {
        ...options,
        beside: 'hello',
        besideRate: BESIDE_RATE,
        baseline: 'first',
        decisive: 'goodput',
        cores: isSlow ? null : chooseCores(count),
      },
    )
    return { rows: isSlow ? rows.map(row => ({ ...row, cores: slowCores(count) })) : rows, settings }
  },
  instruments: { take: takeOnCores },
  title: () => 'The same cores, used in several ways',
  columns: () => equalCoresColumns,
  remarks: ({ settings, environment, steps: [first] }) => [
    first?.cores
      ? `${describePlace(first.cores)} The upstream and the load generators have real ones.`
      : describePlaces(settings.cores ?? null, environment.cores),
  ],
  plots: [ratios('goodput'), ratios('besideP99Ms'), ratios('totalMicros'), ratios('memoryMiB')],
})

/**
 * The ways to use this many cores: the monolith once for each core; one app of the last step with so many threads in each pool;
 * and that app once for each core with pools of one thread, unless that is the same.
 */
export const equalCoresRows = (cores: number, threads: number): Row[] => [
  withApp(rowOf(firstStep, {}), { instances: cores }),
  withApp(rowOf(lastStep, {}), { threads }),
  ...(cores > 1 || threads > 1 ? [withApp(rowOf(lastStep, {}), { instances: cores, threads: 1 })] : []),
]

function describePlaces(cores: readonly number[] | null, all: number): string {
  if (cores === null)
    return `The app, its sidecars, the upstream and the load generators share all ${all} cores, in every row.`
  const places = `${cores.length === 1 ? 'core' : 'cores'} ${cores.join(', ')} of ${all}`
  return `The app and its sidecars share ${places}; the upstream and the load generators have the others.`
}
