import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { UserError } from '../../../lib/cli/user-error.ts'
import type { Results } from '../../outcome/results.ts'
import { readAnyRun, readResults } from '../../outcome/results-file.ts'
import type { Source } from './trace-runs.ts'

/**
 * Reads runs of rows. Of a directory of runs, runs of other kinds and files that are not results are left out, and so are
 * interrupted runs.
 * @param paths files of results, directories of one run, and directories of many runs
 * @throws UserError when a path cannot be read, or a file that was named holds no run of rows
 */
export function readRuns(paths: readonly string[]): Source[] {
  const sources = paths.flatMap(path => (isDirectoryOfRuns(path) ? readDirectory(path) : readOne(path)))
  const byDate = new Map(sources.map(source => [source.run.environment.date, source]))
  return [...byDate.values()]
}

/** Whether a path is a directory of many runs. @throws UserError when there is no such path */
export function isDirectoryOfRuns(path: string): boolean {
  if (!existsSync(path)) throw new UserError(`cannot read ${path} (ENOENT)`)
  return statSync(path).isDirectory() && !existsSync(join(path, 'results.json'))
}

const readOne = (path: string): Source[] => [{ path, run: readResults(path) }]

function readDirectory(directory: string): Source[] {
  const entries = readdirSync(directory, { withFileTypes: true }).filter(entry =>
    entry.isDirectory()
      ? existsSync(join(directory, entry.name, 'results.json'))
      : /\.json$/.test(entry.name),
  )
  return entries.flatMap(({ name }) => {
    const path = relative('.', join(realpathSync(directory), name))
    const run = readIfRows(path)
    return run && !run.partial ? [{ path, run }] : []
  })
}

function readIfRows(path: string): Results | undefined {
  try {
    const run = readAnyRun(path)
    return 'steps' in run ? (run as Results) : undefined
  } catch (error) {
    if (error instanceof UserError) return undefined
    throw error
  }
}
