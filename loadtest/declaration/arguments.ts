import { toFlags } from '../../lib/cli/command-line.ts'
import type { PlannedRun } from '../outcome/results.ts'

/** Options that decide what becomes of the results: no part of a measurement. */
const leftOut = { json: undefined, resume: undefined, verbose: undefined } as const

/**
 * Saves with the settings of a plan the flags that measure the same rows in the same way again.
 * @param values of the command's options; the run's own choices, such as its seed, stand in their place
 */
export function recordArguments(plan: PlannedRun, values: object): PlannedRun {
  const { settings } = plan
  const { budgetSeconds, rounds, warmupSeconds, durationSeconds, seed, spectrum } = settings
  const blocks =
    budgetSeconds === null ? { rounds, narrowPercent: undefined } : { budgetMs: budgetSeconds * 1000 }
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
