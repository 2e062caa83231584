import type { Presentation } from '../declaration/presentation.ts'
import type { SavedRun } from '../outcome/saved-run.ts'
import { appendixOf } from './appendix.ts'
import type { FlameGraph } from './flame-graphs.ts'
import { findNotices } from './notices.ts'
import { describeSource, type Report } from './page.ts'
import { makePlots } from './plots/index.ts'

/** The report of a run, as its command declares it. */
export function reportOf(
  run: SavedRun,
  presentation: Presentation,
  flameGraphs: readonly FlameGraph[],
): Report {
  const content = presentation.content(run)
  const tables = content.filter(each => each.kind === 'table')
  return {
    ...presentation.heading(run),
    answer: presentation.answer(run),
    notices: findNotices(run, presentation.samples(run)),
    remarks: content.flatMap(each => (each.kind === 'remarks' ? each.sentences : [])),
    plots: makePlots(presentation.plots(run), run),
    source: describeSource(run.environment),
    appendix: appendixOf(run, tables, flameGraphs),
  }
}
