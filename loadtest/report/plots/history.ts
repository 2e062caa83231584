import { axisX, axisY, dot, gridY, line, ruleX, ruleY, text } from '@observablehq/plot'
import { isWorse, nameRun, rowNames } from '../../commands/compare/history/presentation.ts'
import type { History } from '../../commands/compare/history/results.ts'
import { nounOf } from '../../declaration/answer.ts'
import { formatRatio } from '../../outcome/format.ts'
import { decimalTicks } from '../curves.ts'
import { draw, type Frame, placeLabels, widthOf } from '../plot.ts'
import { type Plot, renderTable } from '../report-plot.ts'

/** The ratio of one row in one run. */
interface Point {
  readonly name: string
  /** Number of the run, the oldest first. The rows of a run stand beside each other. */
  readonly run: number
  readonly ratio: number
  readonly low: number
  readonly high: number
  readonly worse: boolean
}

const HOW_TO_READ =
  'Each line is a row over the runs, the oldest first, on a logarithmic scale; its values are divided by those of the first row in the same blocks, so that changes of the machine cancel out. The stroke through a dot is its 95 % interval. A ✗ marks a run in which the row is worse than in the run before: the interval of the ratio of both does not contain 1. Each such mark may be wrong 5 times of 100.'

/** The distance between two rows of a run, where the distance between two runs is 1. */
const BESIDE = 0.08

/** Plots every row over the runs. */
export function historyPlot(history: History): Plot | null {
  const { runs, first, settings } = history
  const allNames = rowNames(history)
  const points = runs.flatMap(({ rows }, run) =>
    rows.flatMap(row => {
      const { ratio, ci95 } = row.versusFirst
      const [low, high] = ci95 ?? [ratio ?? 0, ratio ?? 0]
      const place = run + BESIDE * allNames.indexOf(row.name)
      return ratio === null ? [] : [{ name: row.name, run: place, ratio, low, high, worse: isWorse(row) }]
    }),
  )
  if (points.length === 0) return null
  const title = `The ${nounOf(settings.metric)} in terms of ${first}`
  const names = allNames.filter(name => points.some(point => point.name === name))
  return {
    id: 'history',
    title,
    summary: `${names.map(name => describeEnds(points.filter(point => point.name === name))).join('; ')}.`,
    howToRead: HOW_TO_READ,
    draw: frame => drawHistory(frame, runs.map(nameRun), names, points, `× ${first}`),
    data: renderTable(title, runs, [
      { title: 'commit', cell: nameRun },
      { title: 'date', cell: ({ date }) => date.slice(0, 10) },
      ...names.map(name => ({
        title: name,
        cell: ({ rows }: History['runs'][number]) => {
          const row = rows.find(each => each.name === name)
          return `${formatRatio(row?.versusFirst, 3)}${row && isWorse(row) ? ' ✗' : ''}`
        },
      })),
    ]),
  }
}

function describeEnds(points: readonly Point[]): string {
  const worse = points.filter(point => point.worse).length
  const ends = `${points[0]?.name}: ${points[0]?.ratio.toFixed(2)} to ${points.at(-1)?.ratio.toFixed(2)}`
  return worse === 0 ? ends : `${ends}, worse in ${worse} of ${points.length} runs`
}

function drawHistory(
  frame: Frame,
  runs: readonly string[],
  names: readonly string[],
  points: readonly Point[],
  label: string,
): string {
  const { textPx, isNarrow, widthPx } = frame
  const height = frame.heightPx ?? widthPx * (isNarrow ? 0.95 : 0.45)
  const [marginTop, marginBottom] = [textPx * 2, textPx * 3.2]
  const lowest = Math.min(...points.map(({ low }) => low)) / 1.2
  const highest = Math.max(...points.map(({ high }) => high)) * 1.2
  const yTicks = decimalTicks(lowest, highest)
  const last = runs.length - 1 + BESIDE * names.length
  const room = height - marginTop - marginBottom
  const yPx = (value: number) => marginTop + (room * Math.log(highest / value)) / Math.log(highest / lowest)
  const ends = names
    .map(name => points.findLast(point => point.name === name) as Point)
    .toSorted((one, other) => other.ratio - one.ratio)
  const places = placeLabels(
    ends.map(({ ratio }) => yPx(ratio)),
    textPx * 1.15,
    height - marginBottom,
  )
  const mostTicks = Math.max(2, Math.floor((widthPx * 0.7) / (widthOf('0123456', textPx) * 1.3)))
  const xTicks = runs
    .map((_, index) => index)
    .filter(index => index % Math.ceil(runs.length / mostTicks) === 0)
  const quiet = { color: 'var(--quiet)', tickSize: 0, labelArrow: false } as const
  return draw(frame, {
    height,
    ...{ marginTop, marginBottom },
    marginLeft: Math.max(...yTicks.map(tick => widthOf(String(tick), textPx))) + textPx,
    marginRight: Math.max(...names.map(name => widthOf(name, textPx))) + textPx * 1.5,
    x: { type: 'linear', domain: [-0.2, last] },
    y: { type: 'log', domain: [lowest, highest] },
    marks: [
      gridY(yTicks, { stroke: 'var(--line)', strokeOpacity: 1 }),
      axisY(yTicks, { ...quiet, label, tickFormat: String }),
      axisX(xTicks, {
        ...quiet,
        label: 'commit',
        labelAnchor: 'right',
        labelOffset: textPx * 2.7,
        tickFormat: index => runs[Number(index)] ?? '',
      }),
      ruleY([lowest], { stroke: 'var(--text)' }),
      line(points, { x: 'run', y: 'ratio', z: 'name', stroke: 'var(--mark)', strokeWidth: textPx / 8 }),
      ruleX(points, { x: 'run', y1: 'low', y2: 'high', stroke: 'var(--text)', strokeWidth: textPx / 7 }),
      dot(points, { x: 'run', y: 'ratio', r: textPx / 3.5, fill: 'var(--mark)' }),
      text(
        points.filter(({ worse }) => worse),
        { x: 'run', y: 'high', text: () => '✗', dy: -textPx * 0.7, fill: 'var(--bad)', fontWeight: 700 },
      ),
      ...ends.map((end, index) =>
        text([end], {
          x: () => last,
          y: 'ratio',
          text: 'name',
          textAnchor: 'start',
          dx: textPx * 0.4,
          fontWeight: 600,
          dy: (places[index] as number) - yPx(end.ratio),
        }),
      ),
    ],
  })
}
