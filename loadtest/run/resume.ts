import { UserError } from '../../lib/cli/user-error.ts'
import { type Environment, readEnvironment } from '../outcome/environment.ts'
import { metricNames } from '../outcome/metrics.ts'
import type { PlannedRun, Results, RowResult } from '../outcome/results.ts'
import { resultsFile } from '../outcome/results-file.ts'
import type { Row } from '../sample/rows.ts'
import type { Design } from '../statistics/estimate.ts'

/** These parts of the environment must be the same for samples to belong to the same run. */
const decisive = ['node', 'os', 'cpu', 'cores', 'commit'] as const satisfies (keyof Environment)[]

/**
 * Whether an interrupted run can go on. One that keeps its stacks would mix samples of two starts. One that looks at its
 * verdicts has blocks that lack rows on purpose, so it could not tell which block was interrupted.
 */
const canGoOn = ({ looks, keepsStacks }: Design): boolean => !looks && !keepsStacks

/** Says where the samples of an interrupted run are, and how it goes on if it can. */
export const adviseToResume = (results: Results): string =>
  `${canGoOn(results.settings) ? 'go on with --resume' : 'the partial results are in'} ${resultsFile(results)}`

/** The keys of a result that its row does not have. */
const found: readonly (keyof RowResult)[] = [
  ...metricNames,
  ...(['samples', 'versusPrevious', 'versusFirst', 'spectrum', 'prediction'] as const),
]

/** The row that was measured, without what was found. */
const rowOf = (result: RowResult): Row =>
  Object.fromEntries(
    Object.entries(result).filter(([key]) => !found.includes(key as keyof RowResult)),
  ) as unknown as Row

/**
 * Plans the rest of an interrupted run: the same rows, settings and order.
 * @param budgetMs budget for the rest, in place of the run's own
 * @throws UserError when the run is of another command, was measured in another environment, or was one with `--quick`
 */
export function resumePlan(
  earlier: Results,
  command: string,
  budgetMs: number | undefined,
  environment: Environment = readEnvironment(),
): PlannedRun {
  const { settings } = earlier
  if (settings.command !== command) {
    throw new UserError(`those are results of the command ${settings.command}, not of ${command}`)
  }
  if (!canGoOn(settings)) throw new UserError('a run with --quick cannot go on; start a new one')
  for (const key of decisive) {
    if (earlier.environment[key] !== environment[key]) {
      throw new UserError(
        `that run cannot go on here: ${key} was ${earlier.environment[key]}, is ${environment[key]}; start a new one`,
      )
    }
  }
  const rows = earlier.steps.map(rowOf)
  const budgetSeconds =
    settings.budgetSeconds === null ? null : (budgetMs ?? settings.budgetSeconds * 1000) / 1000
  return { rows, settings: { ...settings, budgetSeconds }, earlier }
}
