import { UserError } from '../../lib/user-error.ts'
import { type Environment, readEnvironment } from '../outcome/environment.ts'
import type { Results } from '../outcome/results.ts'
import type { Row } from '../sample/rows.ts'
import type { PlannedRun } from './planned-run.ts'

/** These parts of the environment must be the same for samples to belong to the same run. */
const decisive = ['node', 'os', 'cpu', 'cores', 'commit'] as const satisfies (keyof Environment)[]

/**
 * Plans the rest of an interrupted run: the same rows, settings and order.
 * @param budgetMs budget for the rest, in place of the run's own
 * @throws UserError when the run is of another command, or was measured in another environment
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
  for (const key of decisive) {
    if (earlier.environment[key] !== environment[key]) {
      throw new UserError(
        `that run cannot go on here: ${key} was ${earlier.environment[key]}, is ${environment[key]}; start a new one`,
      )
    }
  }
  const rows = earlier.steps.map(
    ({
      number,
      name,
      composition,
      app,
      nodeFlags,
      node,
      didNotRun,
      isFloor,
      ratePerSecond,
      baseline,
    }): Row => ({
      number,
      name,
      composition,
      ...(node && { node }),
      ...(didNotRun !== undefined && { didNotRun }),
      ...(app && { app }),
      ...(nodeFlags && { nodeFlags }),
      ...(isFloor && { isFloor }),
      ...(ratePerSecond !== undefined && { ratePerSecond }),
      ...(baseline !== undefined && { baseline }),
    }),
  )
  const budgetSeconds =
    settings.budgetSeconds === null ? null : (budgetMs ?? settings.budgetSeconds * 1000) / 1000
  const { calibration } = earlier
  return { rows, settings: { ...settings, budgetSeconds }, earlier, ...(calibration && { calibration }) }
}
