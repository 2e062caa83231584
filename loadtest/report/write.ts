import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { inspect } from 'node:util'
import { presentationOf } from '../commands/index.ts'
import type { SavedRun } from '../outcome/results.ts'
import { resultsDirectory, resultsFile } from '../outcome/results-file.ts'
import { renderPage } from './page.ts'

export const describeReport = (report: string): string => `report: ${report}\n`

/**
 * @param directory where `report.html` is written
 * @param profiles where the profiles of the run are, which the page links to
 * @returns the path of the page
 */
export function writeReport(run: SavedRun, directory: string, profiles = directory): string {
  mkdirSync(directory, { recursive: true })
  const path = join(directory, 'report.html')
  writeFileSync(path, renderPage(run, presentationOf(run), { directory, profiles }))
  return path
}

/** Or a warning when it fails: the results are safe, and the report can be made again. */
export function tryToReport(run: SavedRun): void {
  try {
    process.stderr.write(describeReport(relative('.', writeReport(run, resultsDirectory(run)))))
  } catch (error) {
    const again = `npm run loadtest -- report ${dirname(resultsFile(run))}`
    process.stderr.write(`warning: there is no report; ${again} makes it again: ${inspect(error)}\n`)
  }
}
