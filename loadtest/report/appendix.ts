import type { Table } from '../declaration/presentation.ts'
import { repeatCommand, type SavedRun } from '../outcome/saved-run.ts'
import type { FlameGraph } from './flame-graphs.ts'
import { type Html, html } from './html.ts'
import type { Report } from './page.ts'
import { renderTable } from './report-plot.ts'

/** The tables of a run, its flame graphs and, last, how to measure it again. */
export const appendixOf = (
  run: SavedRun,
  tables: readonly Table[],
  flameGraphs: readonly FlameGraph[],
): Report['appendix'] => [
  ...tables.map(({ title, rows, columns }) => ({ title, content: renderTable(title, rows, columns) })),
  ...(flameGraphs.length > 0 ? [{ title: 'Flame graphs', content: listFlameGraphs(flameGraphs) }] : []),
  { title: 'How it was measured', content: describeMeasuring(run) },
]

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
