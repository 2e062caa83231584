import { parseOptions } from '../../lib/command-line.ts'
import { UserError } from '../../lib/user-error.ts'
import { readEnvironment } from '../outcome/environment.ts'
import { resultsFile } from '../outcome/results-file.ts'
import { findNewestSource, readSource, type Source } from '../plan/find-source.ts'
import { readPlan } from '../plan/results-file.ts'
import { run } from '../run/run.ts'
import { runRows } from './run.ts'

interface SourceOptions {
  readonly from: string | undefined
  readonly seed: number
  readonly acceptNoise: boolean
}

/** The run that was named, or the newest that a model can be made of; without any, measures one. */
export async function findSource(options: SourceOptions, abort: AbortSignal): Promise<Source> {
  const source = options.from === undefined ? findNewestSource() : readSource(options.from)
  return source ?? calibrateFor(options, abort)
}

/**
 * The options of an interrupted validation, and its samples.
 * @throws UserError when the file holds none, or was measured with another commit
 */
export function findBegun(file: string) {
  const { source, settings, validation, environment } = readPlan(file)
  if (!validation) throw new UserError(`${file} has no validation; start one with --validate`)
  const { commit } = readEnvironment()
  if (environment.commit !== commit)
    throw new UserError(
      `that validation cannot go on here: commit was ${environment.commit}, is ${commit}; start a new one`,
    )
  return {
    options: { from: source.file, seed: settings.seed, rounds: settings.rounds, validate: true },
    earlier: validation,
  }
}

/**
 * Enough loads to know how costs follow the load. The median of three blocks counts: one sample may fall into a minute in
 * which the machine is slow, and a step would then be predicted as too dear everywhere.
 */
const MEASURED = ['--load=10%,30%,60%', '--rounds=3']

/**
 * Measures what the model needs: every step in a closed loop, and at several shares of what the first step answers.
 * @throws UserError when it is interrupted
 */
export async function calibrateFor(
  { seed, acceptNoise }: Omit<SourceOptions, 'from'>,
  abort: AbortSignal,
): Promise<Source> {
  const flags = [...MEASURED, `--seed=${seed}`, ...(acceptNoise ? ['--accept-noise'] : [])]
  const { values } = parseOptions(runRows.options, flags, {})
  const results = await run(await runRows.plan(values, abort), abort)
  if (abort.aborted) throw new UserError('interrupted before the model had its costs')
  return readSource(resultsFile(results))
}
