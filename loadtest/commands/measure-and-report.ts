import { type Column, renderColumns } from '../../lib/columns.ts'
import { UserError } from '../../lib/user-error.ts'
import type { SamplingOptions } from '../options.ts'
import { findPoorRows } from '../outcome/poor-rows.ts'
import type { Results, RowResult } from '../outcome/results.ts'
import { readResults, resultsFile } from '../outcome/results-file.ts'
import { tryToReport } from '../report/try-to-report.ts'
import { abortWhenAsked } from '../run/abort.ts'
import type { Plan } from '../run/plan.ts'
import { resumePlan } from '../run/resume.ts'
import { type Instruments, run } from '../run/run.ts'

/**
 * Measures what is planned, or goes on with what `--resume` names, and says what was found: as far as it got, when it
 * was interrupted.
 * @throws UserError when it was interrupted, or a row has not enough valid samples
 */
export async function measureAndReport(
  plan: (abort: AbortSignal) => Plan | Promise<Plan>,
  { json, slides, resume, budgetMs }: Pick<SamplingOptions, 'json' | 'slides' | 'resume' | 'budgetMs'>,
  command: string,
  render: (results: Results) => string,
  instruments: Partial<Instruments> = {},
): Promise<void> {
  const abort = abortWhenAsked()
  const planned = resume ? resumePlan(readResults(resume), command, budgetMs) : await plan(abort)
  const results = await run(planned, abort, instruments)
  process.stdout.write(json ? `${JSON.stringify(results, null, 2)}\n` : `\n${render(results)}\n`)
  await tryToReport(results, slides)
  if (abort.aborted) {
    throw new UserError(`${(abort.reason as Error).message}; go on with --resume ${resultsFile(results)}`)
  }
  requireSamples(results)
}

export const asTable = (columns: readonly Column<RowResult>[]) => (results: Results) =>
  renderColumns(results.steps, columns)

/** @throws UserError when the samples of half of a row's blocks, or more, had to be refused */
function requireSamples(results: Results): void {
  const poor = findPoorRows(results)
  if (poor.length > 0) throw new UserError(`not enough valid samples: ${poor.join(', ')}`)
}
