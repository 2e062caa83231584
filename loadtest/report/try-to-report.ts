import { dirname, relative } from 'node:path'
import { inspect } from 'node:util'
import { resultsDirectory, resultsFile } from '../outcome/results-file.ts'
import type { SavedRun } from '../outcome/saved-run.ts'

/** Writes the report, or a warning when it fails: the results are safe, and the report can be made again. */
export async function tryToReport(run: SavedRun): Promise<void> {
  try {
    const { describeReport, writeReport } = await import('./write.ts')
    const path = await writeReport(run, resultsDirectory(run))
    process.stderr.write(describeReport(relative('.', path)))
  } catch (error) {
    const again = `npm run loadtest -- report ${dirname(resultsFile(run))}`
    process.stderr.write(`warning: there is no report; ${again} makes it again: ${inspect(error)}\n`)
  }
}
