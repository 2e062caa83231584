import { toCells } from '../../plan/cells.ts'
import type { LadderRow, PlanResults } from '../../plan/results.ts'
import { MOST_CONNECTIONS } from '../../plan/validation-cells.ts'
import { drawCurves, type Point } from '../curves.ts'
import { type Plot, renderTable } from '../report-plot.ts'
import { nameOf } from '../rows.ts'

const TITLE = 'Goodput on more cores: a model'

/** Plots what the model predicts for every step on more cores, hollow, and what was measured, solid. */
export function ladderOverCoresPlot({ ladder, validation }: PlanResults): Plot | null {
  const names = [...new Set(ladder.map(nameOf))]
  if (new Set(ladder.map(({ cores }) => cores)).size < 2) return null
  const points = ladder.map(row => toPoint(row, row.goodput))
  const measured = ladder.flatMap(row => (row.measured ? [toPoint(row, row.measured.goodput)] : []))
  const validated = toCells(validation ?? [])
    .filter(({ sharePercent, connections }) => sharePercent === null && connections === MOST_CONNECTIONS)
    .flatMap(cell => (cell.compared ? [toPoint(cell, cell.compared.measured.goodput)] : []))
  return {
    id: 'ladder-over-cores',
    title: TITLE,
    summary: names.map(name => describe(ladder.filter(row => nameOf(row) === name))).join(' '),
    howToRead:
      'Hollow marks and lines are computed, solid marks are measured. Each line is a step, in a closed loop; both scales are logarithmic. A line becomes flat where the main thread has no time left: more cores then help only as more instances.',
    draw: frame =>
      drawCurves(frame, {
        series: [names.at(-1) as string, names[0] as string, ...names.slice(1, -1)],
        points,
        solid: [...measured, ...validated],
        spread: [],
        x: { label: 'cores', format: String },
        y: { label: 'good responses a second' },
      }),
    data: renderTable(TITLE, ladder, [
      { title: 'step', cell: nameOf },
      { title: 'cores', cell: ({ cores }) => String(cores) },
      { title: 'goodput/s (model)', cell: ({ goodput }) => goodput.toFixed(0) },
      { title: 'measured', cell: ({ measured }) => measured?.goodput.toFixed(0) ?? '-' },
    ]),
  }
}

const toPoint = (row: Parameters<typeof nameOf>[0] & { readonly cores: number }, goodput: number): Point => ({
  series: nameOf(row),
  x: row.cores,
  y: goodput,
})

function describe(rows: readonly LadderRow[]): string {
  const [first, last] = [rows[0] as LadderRow, rows.at(-1) as LadderRow]
  const [from, to] = [first.goodput.toFixed(0), last.goodput.toFixed(0)]
  return `By the model, ${nameOf(first)} answers ${from} a second on ${first.cores} and ${to} on ${last.cores} cores.`
}
