import type { Column } from '../../lib/cli/columns.ts'
import { toFlags } from '../../lib/cli/command-line.ts'
import type { OptionTable, Values } from '../../lib/cli/options.ts'
import type { SamplingOptions, samplingOptions } from '../options.ts'
import type { Metric } from '../outcome/metrics.ts'
import type { PlannedRun, Results, RowResult } from '../outcome/results.ts'
import type { RowsPlot } from '../report/plot.ts'
import { type Instruments, run } from '../run/run.ts'
import { answerOf } from './answer.ts'
import { briefColumns, countColumns, spectrumColumns } from './columns.ts'
import { type Measuring, measuringCommand } from './command.ts'
import { type Presentation, remarks, table } from './presentation.ts'

/** They decide what becomes of the results. */
const leftOut = { json: undefined, verbose: undefined } as const

/**
 * Saves with a plan the flags that measure the same again: the options, in which the run's own choices stand, such as its seed.
 */
function recordArguments(plan: PlannedRun, values: object): PlannedRun {
  const { settings } = plan
  const { budgetSeconds, rounds, warmupSeconds, durationSeconds, seed, spectrum } = settings
  const blocks = budgetSeconds === null ? { rounds } : { budgetMs: budgetSeconds * 1000 }
  const chosen = {
    ...blocks,
    warmupMs: warmupSeconds * 1000,
    durationMs: durationSeconds * 1000,
    seed,
    acceptNoise: settings.acceptNoise,
    ...('spectrum' in values && { spectrum: spectrum ? 'yes' : 'no' }),
  }
  const flags = toFlags({ ...values, ...chosen, ...leftOut })
  return { ...plan, settings: { ...settings, arguments: flags } }
}

type RunOptions = Pick<typeof samplingOptions, 'json' | 'verbose'>

interface RowsCommand<Table extends OptionTable & RunOptions>
  extends Omit<Measuring<Table, Results>, 'presentation' | 'measure'> {
  /** @throws UserError when the options contradict each other */
  plan(values: Values<Table>, abort: AbortSignal): PlannedRun | Promise<PlannedRun>
  readonly instruments?: Partial<Instruments>
  title(results: Results): string
  /** Decides when absent: that of the settings. */
  readonly metric?: Metric
  columns(results: Results): readonly Column<RowResult>[]
  remarks?(results: Results): readonly string[]
  readonly plots: readonly RowsPlot[]
}

export const SPECTRA_TITLE = 'Main threads by %'
const COUNTS_TITLE = 'Counts of the main thread'

export function rowsCommand<Table extends OptionTable & RunOptions>(declared: RowsCommand<Table>) {
  const plan = async (values: Values<Table>, abort: AbortSignal): Promise<PlannedRun> =>
    recordArguments(await declared.plan(values, abort), values)
  const command = measuringCommand<Table, Results>({
    ...declared,
    presentation: presentationOf(declared),
    async measure(values, abort) {
      // A capacity that is measured first counts in the time of the run.
      const startedAtMs = performance.now()
      const { verbose } = values as Pick<SamplingOptions, keyof RunOptions>
      return run({ startedAtMs, ...(await plan(values, abort)), verbose }, abort, declared.instruments)
    },
  })
  return { ...command, plan }
}

function presentationOf<Table extends OptionTable & RunOptions>(
  declared: RowsCommand<Table>,
): Presentation<Results> {
  const metricOf = ({ settings }: Results) => declared.metric ?? settings.decisive ?? 'mainThreadMicros'
  return {
    title: results => declared.title(results),
    answer: results => answerOf(results, metricOf(results)),
    method({ settings, steps }) {
      const { scenario, rounds, warmupSeconds, durationSeconds, connections, threads } = settings
      const { keepsStacks, turns } = settings
      const blocks = keepsStacks
        ? `one start of each stack, warmed up for ${warmupSeconds} s, ${rounds} blocks of ${durationSeconds} s`
        : `${rounds} blocks, each with ${warmupSeconds} s of warm-up and ${turns ? `${turns} measured turns of ${durationSeconds} s` : `${durationSeconds} s of measurement`}`
      const pools = steps.every(({ app, cores }) => cores && app?.threads === cores.count)
        ? 'pools of a thread for each core'
        : `pools of ${threads} ${threads === 1 ? 'thread' : 'threads'}`
      const load = steps.some(row => row.scenario)
        ? 'Each pair on its own request'
        : `Scenario \`${scenario}\``
      return `${load}, ${blocks}, ${connections} connections, ${pools}`
    },
    content(results) {
      const { steps } = results
      const counts = countColumns(results)
      const spectra = steps.some(({ spectrum }) => spectrum)
      return [
        table('Costs', steps, declared.columns(results)),
        ...(counts.length > 0 ? [{ ...table(COUNTS_TITLE, steps, counts), isDetail: true }] : []),
        ...(spectra ? [table(SPECTRA_TITLE, steps, spectrumColumns)] : []),
        remarks(declared.remarks?.(results) ?? []),
      ]
    },
    inShort(results) {
      const { steps, settings } = results
      if (!settings.looks) return undefined
      const metric = metricOf(results)
      return [
        table('Costs', steps, briefColumns(metric, settings)),
        remarks([answerOf(results, metric, true)]),
      ]
    },
    plots: results => declared.plots.flatMap(plot => plot(results) ?? []),
    measured: ({ steps }) => steps,
  }
}
