import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BreakEvenResults } from '../break-even/results.ts'
import type { Results } from '../outcome/results.ts'
import { writeFlameGraphs } from './flame-graphs.ts'
import { renderReportMarkdown } from './markdown.ts'
import { renderPage } from './page.ts'
import { reportOfBreakEven } from './report-of-break-even.ts'
import { reportOfRows } from './report-of-rows.ts'

/**
 * Writes `report.html`, `report.md`, a flame graph of every profile there is and, when asked for, slides.
 * @param directory where the results and their profiles are
 * @returns the path of the report
 */
export async function writeReport(
  results: Results | BreakEvenResults,
  directory: string,
  { slides, profiles = directory }: { readonly slides: boolean; readonly profiles?: string },
): Promise<string> {
  mkdirSync(directory, { recursive: true })
  const report =
    'kind' in results
      ? reportOfBreakEven(results)
      : reportOfRows(results, writeFlameGraphs(results, profiles, directory))
  const path = join(directory, 'report.html')
  writeFileSync(path, renderPage(report))
  writeFileSync(join(directory, 'report.md'), renderReportMarkdown(results, report))
  if (slides) {
    const { writeSlides } = await import('./slides.ts')
    await writeSlides(report, join(directory, 'slides'))
  }
  return path
}
