import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Results } from '../outcome/results.ts'
import type { SavedRun } from '../outcome/saved-run.ts'
import { writeFlameGraphs } from './flame-graphs.ts'
import { renderReportMarkdown } from './markdown.ts'
import { renderPage } from './page.ts'
import { presentationOf } from './presentation-of.ts'
import { reportOf } from './report-of.ts'

const slidesBeside = (report: string): string => join(dirname(report), 'slides')

/** The lines that say where a report is and, when they were asked for, its slides. */
export const describeReport = (report: string, slides = false): string =>
  `report: ${report}\n${slides ? `slides: ${slidesBeside(report)}, each plot as SVG and PNG, light and dark\n` : ''}`

/**
 * Writes `report.html`, `report.md`, a flame graph for every profile and, when asked for, slides.
 * @param directory where the results and their profiles are
 * @returns the path of the report
 */
export async function writeReport(
  run: SavedRun,
  directory: string,
  { slides, profiles = directory }: { readonly slides?: boolean; readonly profiles?: string } = {},
): Promise<string> {
  mkdirSync(directory, { recursive: true })
  const presentation = presentationOf(run)
  const flameGraphs = 'steps' in run ? writeFlameGraphs(run as Results, profiles, directory) : []
  const report = reportOf(run, presentation, flameGraphs)
  const path = join(directory, 'report.html')
  writeFileSync(path, renderPage(report))
  writeFileSync(join(directory, 'report.md'), renderReportMarkdown(run, presentation, report))
  if (slides) {
    const { writeSlides } = await import('./slides.ts')
    await writeSlides(report, slidesBeside(path))
  }
  return path
}
