import type { Command } from '../../lib/cli/command.ts'
import type { OptionTable, Values } from '../../lib/cli/options.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import { adviseOn, describeNoisy, describeRefused, findPoorRows, NOISY_FIGURES } from '../outcome/noisy.ts'
import type { SavedRun } from '../outcome/results.ts'
import { resultsFile } from '../outcome/results-file.ts'
import { abortWhenAsked } from '../run/measure.ts'
import { type Content, type Presentation, remarks, renderForTerminal, samplesOf } from './presentation.ts'

export type WriteReport = (run: SavedRun) => Promise<void>

export interface LoadTestCommand<Table extends OptionTable = OptionTable>
  extends Omit<Command<Table>, 'run'> {
  /** @param report writes the report of what was measured */
  run(values: Values<Table>, words: readonly string[], report: WriteReport): Promise<void>
  readonly presentation: Presentation
}

export interface Measuring<Table extends OptionTable, Run extends SavedRun> {
  /** On the command line, and in its results. */
  readonly name: string
  /** `npm run loadtest -- NAME [options]` when absent. */
  readonly usage?: string
  readonly description: string
  readonly options: Table
  readonly presentation: Presentation<Run>
  /** @returns the results, which are saved; those so far if `abort` is aborted */
  measure(values: Values<Table>, abort: AbortSignal): Promise<Run>
  /** @throws UserError when the results are not what the options ask for */
  judge?(run: Run, values: Values<Table>): void
}

/** Makes the command: the report, what is printed, warnings and refusals come with it. */
export function measuringCommand<Table extends OptionTable, Run extends SavedRun>(
  declared: Measuring<Table, Run>,
) {
  const { name, usage = `npm run loadtest -- ${name} [options]`, description, options } = declared
  const { presentation } = declared
  return {
    usage,
    description,
    options,
    presentation,
    async run(values: Values<Table>, _words: readonly string[], report: WriteReport): Promise<void> {
      const abort = abortWhenAsked()
      const run = await declared.measure(values, abort)
      await report(run)
      if (!abort.aborted) warnOfNoise(run, presentation)
      printRun(run, presentation, values as { json?: boolean; verbose?: boolean })
      if (abort.aborted)
        throw new UserError(
          `${(abort.reason as Error).message}; the partial results are in ${resultsFile(run)}`,
        )
      requireSamples(run, presentation)
      declared.judge?.(run, values)
    },
  }
}

/** Prints a run on stdout: all of it as JSON, or its tables and remarks, and last the answer in a few words. */
function printRun<Run extends SavedRun>(
  run: Run,
  presentation: Presentation<Run>,
  { json = false, verbose = true }: { readonly json?: boolean; readonly verbose?: boolean },
): void {
  const whole = (): Content[] => [
    ...presentation.content(run).filter(each => verbose || each.kind !== 'table' || !each.isDetail),
    remarks([presentation.answer(run)]),
  ]
  const show = () => (verbose ? undefined : presentation.inShort?.(run)) ?? whole()
  process.stdout.write(`${json ? JSON.stringify(run, null, 2) : `\n${renderForTerminal(show())}`}\n`)
}

/** Says on stderr which samples of a run were refused or are noisy, and why. */
function warnOfNoise<Run extends SavedRun>(run: Run, presentation: Presentation<Run>): void {
  const samples = samplesOf(run, presentation)
  const refused = describeRefused(samples)
  if (refused) process.stderr.write(`warning: ${refused}\n`)
  const noisy = describeNoisy(samples)
  if (noisy) process.stderr.write(`warning: these results are noisy. ${noisy}. ${NOISY_FIGURES}\n`)
}

/** @throws UserError when the samples of half of a row's blocks, or more, had to be refused */
function requireSamples<Run extends SavedRun>(run: Run, presentation: Presentation<Run>): void {
  const poor = findPoorRows(presentation.measured(run), run.settings)
  if (poor.length === 0) return
  const advice = adviseOn(samplesOf(run, presentation))
  throw new UserError(`not enough valid samples: ${poor.join(', ')}; ${advice}`)
}
