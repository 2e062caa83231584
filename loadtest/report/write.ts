import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { inspect } from 'node:util'
import type { Command } from '../../lib/cli/command.ts'
import type { OptionTable } from '../../lib/cli/options.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import { presentationOf } from '../commands/index.ts'
import type { SavedRun } from '../outcome/results.ts'
import { latestResults, readAnyRun, resultsDirectory, resultsFile } from '../outcome/results-file.ts'
import { renderPage } from './page.ts'

const describeReport = (report: string): string => `report: ${report}\n`

/**
 * @param directory where `report.html` is written; the page links to the profiles that are there
 * @returns the path of the page
 */
export function writeReport(run: SavedRun, directory: string): string {
  mkdirSync(directory, { recursive: true })
  const path = join(directory, 'report.html')
  writeFileSync(path, renderPage(run, presentationOf(run), directory))
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

export const reportCommand: Command<OptionTable> = {
  usage: 'npm run loadtest -- report [DIRECTORY | FILE]',
  description: `Makes the report of a run again from its results, in DIRECTORY, or for a FILE in the directory of its run in
loadtest/results. Without a name it takes the last run.`,
  options: {},
  takesWords: true,
  async run(_, [path = latestResults, ...others]) {
    if (others.length > 0) throw new UserError(`one run is expected, received "${others[0]}" too`)
    const results = readAnyRun(path)
    const directory = statSync(path).isDirectory() ? path : dirname(resultsFile(results))
    process.stderr.write(describeReport(writeReport(results, directory)))
  },
}
