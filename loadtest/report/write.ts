import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { inspect } from 'node:util'
import { presentationOf } from '../commands/index.ts'
import type { SavedRun } from '../outcome/results.ts'
import { resultsDirectory, resultsFile } from '../outcome/results-file.ts'
import { renderReportMarkdown } from './markdown.ts'
import { renderPage } from './page.ts'

/** The line that says where a report is. */
export const describeReport = (report: string): string => `report: ${report}\n`

/**
 * Writes `report.html` and `report.md`.
 * @param directory where they are written
 * @param profiles where the profiles of the run are, which the page links to
 * @returns the path of the page
 */
export function writeReport(run: SavedRun, directory: string, profiles = directory): string {
  mkdirSync(directory, { recursive: true })
  const presentation = presentationOf(run)
  const path = join(directory, 'report.html')
  writeFileSync(path, renderPage(run, presentation, { directory, profiles }))
  writeFileSync(join(directory, 'report.md'), renderReportMarkdown(run, presentation))
  return path
}

/** Writes the report, or a warning when it fails: the results are safe, and the report can be made again. */
export function tryToReport(run: SavedRun): void {
  try {
    process.stderr.write(describeReport(relative('.', writeReport(run, resultsDirectory(run)))))
  } catch (error) {
    const again = `npm run loadtest -- report ${dirname(resultsFile(run))}`
    process.stderr.write(`warning: there is no report; ${again} makes it again: ${inspect(error)}\n`)
  }
}
