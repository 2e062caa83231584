import type { Presentation } from '../declaration/presentation.ts'
import { repeatCommand, type SavedRun } from '../outcome/saved-run.ts'
import type { FlameGraph } from './flame-graphs.ts'
import { type Html, html } from './html.ts'
import { findNotices } from './notices.ts'
import { describeSource, type Report } from './page.ts'
import { makePlots } from './plots/index.ts'
import { renderTable } from './report-plot.ts'

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
    appendix: [
      ...tables.map(({ title, rows, columns }) => ({ title, content: renderTable(title, rows, columns) })),
      ...(flameGraphs.length > 0 ? [{ title: 'Flame graphs', content: listFlameGraphs(flameGraphs) }] : []),
      { title: 'How it was measured', content: describeMeasuring(run) },
    ],
  }
}

const listFlameGraphs = (flameGraphs: readonly FlameGraph[]): Html =>
  html`<p>The stacks of each thread in the profiled sample, in the colours of the concerns. The V8 profiles beside them open in any developer tools.</p>
<ul>${flameGraphs.map(({ name, href }) => html`<li><a href="${href}">${name}</a></li>\n`)}</ul>`

/** The command that measures the same again, if the results tell it, and all settings that have a value. */
function describeMeasuring(run: SavedRun): Html {
  const { arguments: _, ...settings } = run.settings
  const command = repeatCommand(run)
  // A setting without a value does not hide what the environment tells, such as the number of cores.
  const known = [...Object.entries(run.environment), ...Object.entries(settings)].filter(
    ([, value]) => value !== null,
  )
  return html`${
    command &&
    html`<p>To repeat this run on this commit:</p>
<pre><code>${command}</code></pre>
`
  }<dl>${Object.entries(Object.fromEntries(known)).map(
    ([name, value]) => html`<div><dt>${spaced(name)}</dt><dd>${String(value)}</dd></div>\n`,
  )}</dl>`
}

/** Writes `warmupSeconds` as `warmup seconds`. */
const spaced = (name: string) => name.replaceAll(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
