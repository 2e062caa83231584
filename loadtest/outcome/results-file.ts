import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { UserError } from '../../lib/user-error.ts'
import type { BreakEvenResults } from '../break-even/results.ts'
import type { Results } from './results.ts'

const ALL_RESULTS = join(import.meta.dirname, '../results')
const FILE = 'results.json'

/** Leads to the directory of the last run. */
export const latestResults = relative('.', join(ALL_RESULTS, 'latest'))

/** Where everything is that a run leaves: its results, profiles, report. `results/latest` leads to that of the last run. */
export const resultsDirectory = ({ environment }: Pick<Results, 'environment'>): string =>
  join(ALL_RESULTS, environment.date.replaceAll(/[:.]/g, '-'))

/** Where a run's results are, as a person would type it. */
export const resultsFile = (results: Pick<Results, 'environment'>): string =>
  relative('.', join(resultsDirectory(results), FILE))

/**
 * Writes the results whole or not at all.
 * @throws UserError when they cannot be written
 */
export function saveResults(results: Results | BreakEvenResults): void {
  const directory = resultsDirectory(results)
  saveFile(join(directory, FILE), `${JSON.stringify(results, null, 2)}\n`)
  replace(latestResults, part => symlinkSync(directory, part, 'junction'))
}

/**
 * Writes a file whole or not at all, and the directories that it is in.
 * @throws UserError when it cannot be written
 */
export const saveFile = (path: string, text: string): void => replace(path, part => writeFileSync(part, text))

function replace(path: string, create: (part: string) => void): void {
  const part = `${path}.${process.pid}.part`
  try {
    mkdirSync(dirname(path), { recursive: true })
    create(part)
    renameSync(part, path)
  } catch (error) {
    if (existsSync(part)) rmSync(part)
    throw new UserError(`cannot write ${relative('.', path)} (${(error as NodeJS.ErrnoException).code})`)
  }
}

/**
 * @param path of the file, or of the directory that it is in
 * @throws UserError when the file is not one of results
 */
export const readResults = (path: string): Results => read(path, ({ steps }) => Array.isArray(steps))

/** The same of a run of `break-even`. */
export const readBreakEven = (path: string): BreakEvenResults =>
  read(path, ({ kind }) => kind === 'break-even')

/** The same of either. */
export const readAnyResults = (path: string): Results | BreakEvenResults =>
  read(path, ({ steps, kind }) => Array.isArray(steps) || kind === 'break-even')

function read<Run>(path: string, isOne: (parsed: Record<string, unknown>) => boolean): Run {
  let command: string | undefined
  try {
    const file = statSync(path).isDirectory() ? join(path, FILE) : path
    const results = JSON.parse(readFileSync(file, 'utf8'))
    if (results.schemaVersion === 1 && isOne(results)) return results
    command = results.settings?.command
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code) {
      throw new UserError(`cannot read ${path} (${(error as NodeJS.ErrnoException).code})`)
    }
  }
  throw new UserError(
    command === undefined
      ? `${path} holds no results of a load test; it was expected to be made with --json`
      : `${path} holds results of the command ${command}, which are of another kind`,
  )
}
