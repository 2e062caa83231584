import type { Presentation, Table } from '../declaration/presentation.ts'
import type { Results } from '../outcome/results.ts'
import type { SavedRun } from '../outcome/saved-run.ts'
import { appendixOfRows } from './appendix-of-rows.ts'
import type { FlameGraph } from './flame-graphs.ts'
import { describeMeasuring } from './measuring.ts'
import { findNotices } from './notices.ts'
import { describeSource, type Report } from './page.ts'
import { makePlots } from './plots/index.ts'
import { repeatCommand } from './repeat.ts'
import { renderTable } from './report-plot.ts'

/** The report of a run, as its command declares it. */
export function reportOf(
  run: SavedRun,
  presentation: Presentation,
  flameGraphs: readonly FlameGraph[],
): Report {
  const { environment, settings } = run
  const { arguments: _, ...chosen } = settings
  // A setting without a value does not hide what the environment tells, such as the number of cores.
  const shown = Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== null))
  const content = presentation.content(run)
  const tables = content.filter(each => each.kind === 'table')
  return {
    ...presentation.heading(run),
    answer: presentation.answer(run),
    notices: findNotices(run, presentation.samples(run)),
    remarks: content.flatMap(each => (each.kind === 'remarks' ? each.sentences : [])),
    plots: makePlots(presentation.plots(run), run),
    source: describeSource(environment),
    appendix: [
      ...('steps' in run ? appendixOfRows(run as Results, tables, flameGraphs) : tables.map(sectionOf)),
      {
        title: 'How it was measured',
        content: describeMeasuring(repeatCommand(run), { ...environment, ...shown }),
      },
    ],
  }
}

const sectionOf = ({ title, rows, columns }: Table) => ({
  title,
  content: renderTable(title, rows, columns),
})
