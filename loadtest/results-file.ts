import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { UserError } from '../lib/user-error.ts'
import type { Results } from './results.ts'

const DIRECTORY = join(import.meta.dirname, 'results')

/** Where a run's results are, as a person would type it. */
export const resultsFile = ({ environment }: Pick<Results, 'environment'>): string =>
  relative('.', join(DIRECTORY, `${environment.date.replaceAll(/[:.]/g, '-')}.json`))

/** Writes the results to a file of their own and to `latest.json`, each whole or not at all. */
export function saveResults(results: Results): void {
  mkdirSync(DIRECTORY, { recursive: true })
  for (const path of [resultsFile(results), join(DIRECTORY, 'latest.json')]) {
    const part = `${path}.${process.pid}.part`
    writeFileSync(part, `${JSON.stringify(results, null, 2)}\n`)
    renameSync(part, path)
  }
}

/** @throws UserError when the file is not one of results */
export function readResults(path: string): Results {
  try {
    const results = JSON.parse(readFileSync(path, 'utf8'))
    if (results.schemaVersion === 1 && Array.isArray(results.steps)) return results
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code) {
      throw new UserError(`cannot read ${path} (${(error as NodeJS.ErrnoException).code})`)
    }
  }
  throw new UserError(`${path} holds no results of a load test; it was expected to be made with --json`)
}
