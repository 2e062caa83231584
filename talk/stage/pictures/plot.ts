import { UserError } from '../../../lib/cli/user-error.ts'
import { readResults } from '../../../loadtest/outcome/results-file.ts'
import { summarizeAgain } from '../../../loadtest/outcome/summarize.ts'
import { themes, withColors } from '../../../loadtest/report/palette.ts'
import { presentationOf } from '../../../loadtest/report/presentation-of.ts'
import { reportOf } from '../../../loadtest/report/report-of.ts'
import { drawSlide } from '../../../loadtest/report/slides.ts'

/**
 * Draws a plot of a run's report as SVG, by the statistics of this version, as the tables of the docs have it.
 * @param id the name of the plot, such as `spectrum`
 * @throws UserError when the file is no run, or its report has no such plot
 */
export function drawPlot(file: string, id: string, theme: keyof typeof themes): string {
  const run = summarizeAgain(readResults(file))
  const report = reportOf(run, presentationOf(run), [])
  const plot = report.plots.find(each => each.id === id)
  if (!plot) throw new UserError(`the report of ${file} has no plot ${id}`)
  return withColors(drawSlide(plot, report), themes[theme])
}
