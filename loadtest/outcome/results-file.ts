import { readFileSync, statSync, symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { UserError } from '../../lib/cli/user-error.ts'
import { replaceFile, saveFile } from '../../lib/os/save-file.ts'
import type { Results, SavedRun } from './results.ts'

const ALL_RESULTS = join(import.meta.dirname, '../results')
const FILE = 'results.json'

/** A link to the directory of the last run. */
export const latestResults = relative('.', join(ALL_RESULTS, 'latest'))

/** The directory of one run, with its results, profiles and report. `results/latest` leads to that of the last run. */
export const resultsDirectory = ({ environment }: Pick<SavedRun, 'environment'>): string =>
  join(ALL_RESULTS, environment.date.replaceAll(/[:.]/g, '-'))

/** The path of a run's results, as a person would type it. */
export const resultsFile = (run: Pick<SavedRun, 'environment'>): string =>
  relative('.', join(resultsDirectory(run), FILE))

/** Writes the results completely or not at all. @throws UserError when they cannot be written */
export function saveResults(run: SavedRun): void {
  const directory = resultsDirectory(run)
  saveFile(join(directory, FILE), `${JSON.stringify(run, null, 2)}\n`)
  replaceFile(latestResults, part => symlinkSync(directory, part, 'junction'))
}

/**
 * @param path of the file, or of the directory that it is in
 * @throws UserError when the file does not hold a run of rows
 */
export const readResults = (path: string): Results =>
  readRun<Results>(path, ({ steps }) => Array.isArray(steps))

/** Reads a run of any command; otherwise like {@link readResults}. */
export const readAnyRun = (path: string): SavedRun =>
  readRun<SavedRun>(path, ({ steps, kind }) => Array.isArray(steps) || kind !== undefined)

/**
 * @param isOne whether the parsed file is a run of the kind that is expected
 * @throws UserError when the file cannot be read, or holds something else
 */
export function readRun<Run>(path: string, isOne: (parsed: Record<string, unknown>) => boolean): Run {
  let command: string | undefined
  try {
    const file = statSync(path).isDirectory() ? join(path, FILE) : path
    const results = JSON.parse(readFileSync(file, 'utf8'))
    if (results.schemaVersion === 1 && isOne(results)) return results
    command = results.settings?.command
  } catch (error) {
    const { code, path: missing } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' && path === latestResults)
      throw new UserError('there is no run yet; npm run loadtest -- --quick measures one')
    if (code) throw new UserError(`cannot read ${missing ?? path} (${code})`)
  }
  throw new UserError(
    command === undefined
      ? `${path} holds no results of a load test; it was expected to be made with --json`
      : `${path} holds results of the command ${command}, which are of another kind`,
  )
}
