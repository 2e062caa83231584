import type { Column } from '../../lib/cli/columns.ts'
import type { Table } from '../declaration/presentation.ts'
import { formatRatio } from '../outcome/format.ts'
import type { Metric } from '../outcome/metrics.ts'
import type { Results, RowResult } from '../outcome/results.ts'
import { EQUIVALENCE } from '../statistics/thresholds.ts'
import type { FlameGraph } from './flame-graphs.ts'
import { type Html, html } from './html.ts'
import { ledgerColumns } from './ledgers.ts'
import type { Report } from './page.ts'
import { sayVerdict } from './palette.ts'
import { renderTable } from './report-plot.ts'
import { nameOf, validSamples } from './rows.ts'

/** The tables of a run of rows, with its verdicts, its ledgers and its flame graphs. */
export const appendixOfRows = (
  results: Results,
  declared: readonly Table[],
  flameGraphs: readonly FlameGraph[],
): Report['appendix'] => [
  { title: 'Verdicts', content: verdictTables(results, declared) },
  { title: 'Ledgers', content: ledgerTable(results) },
  ...(flameGraphs.length > 0 ? [{ title: 'Flame graphs', content: listFlameGraphs(flameGraphs) }] : []),
]

const renderDeclared = ({ title, rows, columns }: Table): Html =>
  html`<h3>${title}</h3>${renderTable(title, rows, columns)}
`

const versusColumns = (
  versus: 'versusPrevious' | 'versusFirst',
  metric: Metric,
  title: string,
): Column<RowResult>[] => [
  { title, cell: row => formatRatio(row[versus]?.[metric], 2) },
  {
    title: 'verdict',
    cell: row => {
      const verdict = row[versus]?.[metric].verdict
      return verdict ? sayVerdict(metric, verdict) : '-'
    },
  },
]

function verdictTables({ steps }: Results, declared: readonly Table[]): Html {
  const verdicts = (versus: 'versusPrevious' | 'versusFirst', name: string) =>
    html`<h3>${name}</h3>${renderTable(name, steps, [
      { title: 'row', cell: nameOf },
      ...versusColumns(versus, 'mainThreadMicros', 'main thread ×'),
      ...versusColumns(versus, 'goodput', 'goodput ×'),
      ...versusColumns(versus, 'totalMicros', 'total cost ×'),
      ...versusColumns(versus, 'p99Ms', 'p99 ×'),
      { title: 'valid samples', cell: row => `${validSamples(row).length} of ${row.samples.length}` },
    ])}`
  return html`<p>Ratios of this row to another with their 95 % intervals, paired within blocks. ✓ better and ✗ worse: the interval does not contain 1; less and more say how the value changed. = equivalent: it lies within ±${EQUIVALENCE * 100} % of 1. ? inconclusive is no finding. Each verdict may be wrong 5 times of 100, and there are many: rely on the main-thread column, which the run was made for.</p>
${declared.map(renderDeclared)}
${verdicts('versusPrevious', 'Against the row above')}
${steps.length > 2 ? verdicts('versusFirst', 'Against the first row') : null}`
}

const ledgerTable = ({ steps }: Results): Html =>
  html`<p>Every log line, span and metric point that a stack emitted was delivered, or counted as dropped or rejected: emitted = delivered + dropped + rejected. Without this check, a step could be fast because it loses telemetry. Sums over all valid samples.</p>
${renderTable('Ledgers', steps, ledgerColumns)}`

const listFlameGraphs = (flameGraphs: readonly FlameGraph[]): Html =>
  html`<p>The stacks of each thread in the profiled sample, in the colours of the concerns. The V8 profiles beside them open in any developer tools.</p>
<ul>${flameGraphs.map(({ name, href }) => html`<li><a href="${href}">${name}</a></li>\n`)}</ul>`
