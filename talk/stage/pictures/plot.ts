import { UserError } from '../../../lib/cli/user-error.ts'
import { readResults } from '../../../loadtest/outcome/results-file.ts'
import { summarizeAgain } from '../../../loadtest/outcome/summarize.ts'
import { themes, withColors } from '../../../loadtest/report/palette.ts'
import { presentationOf } from '../../../loadtest/report/presentation-of.ts'
import { reportOf } from '../../../loadtest/report/report-of.ts'
import { drawSlide } from '../../../loadtest/report/slides.ts'

type Report = ReturnType<typeof reportOf>

const reports = new Map<string, Report>()

function readReport(file: string): Report {
  const known = reports.get(file)
  if (known) return known
  const run = summarizeAgain(readResults(file))
  const report = reportOf(run, presentationOf(run), [])
  reports.set(file, report)
  return report
}

/**
 * Reads the report of a run, by the statistics of this version, as the tables of the docs have it.
 * @returns draws a plot of it as SVG, by the name of the plot, such as `spectrum`
 * @throws UserError when the file is no run, or its report has no such plot
 */
export function drawPlots(file: string): (id: string, theme: keyof typeof themes) => string {
  const report = readReport(file)
  return (id, theme) => {
    const plot = report.plots.find(each => each.id === id)
    if (!plot) throw new UserError(`the report of ${file} has no plot ${id}`)
    return withColors(drawSlide(plot, report), themes[theme])
  }
}
