import { dirname, relative } from 'node:path'
import { inspect } from 'node:util'
import type { BreakEvenResults } from '../break-even/results.ts'
import type { Results } from '../outcome/results.ts'
import { resultsDirectory, resultsFile } from '../outcome/results-file.ts'

/** The results are safe whatever happens to the report: it can be made again. */
export async function tryToReport(results: Results | BreakEvenResults, slides: boolean): Promise<void> {
  try {
    const { writeReport } = await import('./write.ts')
    const path = await writeReport(results, resultsDirectory(results), { slides })
    process.stderr.write(`report: ${relative('.', path)}\n`)
  } catch (error) {
    const again = `npm run report -- ${dirname(resultsFile(results))}`
    process.stderr.write(`warning: there is no report; ${again} makes it again: ${inspect(error)}\n`)
  }
}
