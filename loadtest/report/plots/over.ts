import { type Cell, formatBytes, formatMicros } from '../../commands/break-even/cells.ts'
import {
  type BreakEvenResults,
  type CellResult,
  cellMetrics,
  type crossingMetrics,
} from '../../commands/break-even/results.ts'
import { headingOf, type Metric, metrics } from '../../outcome/metrics.ts'
import type { Results, RowResult } from '../../outcome/results.ts'
import { withoutLoad } from '../../sample/compared-rows.ts'
import { median } from '../../statistics/median.ts'
import { curvesPlot, type Point } from '../curves.ts'
import { nameOf, type Plot, validSamples } from '../plot.ts'

/** Plots one metric over the load, a line for each step; null when there is only one rate. */
export const overLoadPlot = (metric: Metric, results: Results): Plot | null =>
  overPlot(results, metric, {
    id: `${metric}-over-load`,
    title: `${headingOf(metric)}, over the load`,
    howToRead:
      'Requests were sent on a schedule, without waiting for earlier answers, at the same rates to every step; latency counts from the scheduled time. Each line is a step: the median of its samples, which are the small dots; both scales are logarithmic. Where latency rises steeply the service begins to fall behind.',
    label: 'requests a second',
    at: ({ ratePerSecond }) => ratePerSecond,
    digits: 2,
  })

/** The goodput of every step on each number of cores; null when there is only one. */
export const goodputOverCoresPlot = (results: Results): Plot | null =>
  overPlot(results, 'goodput', {
    id: 'goodput-over-cores',
    title: 'Goodput over cores',
    howToRead:
      'Each line is a step, the median of its samples, which are the small dots; both scales are logarithmic. A line becomes flat where its main thread has no time left: more cores then help only as more instances.',
    label: 'cores',
    at: ({ cores }) => cores?.count,
    digits: 0,
  })

interface Over extends Pick<Plot, 'id' | 'title' | 'howToRead'> {
  /** Names the quantity in which the rows differ; `at` is its value for a row. */
  readonly label: string
  at(row: RowResult): number | undefined
  readonly digits: number
}

function overPlot({ steps }: Results, metric: Metric, { label, at, digits, ...words }: Over): Plot | null {
  const { unit, noun, of } = metrics[metric]
  const rows = steps.flatMap(row => {
    const x = at(row)
    const series = nameOf({ ...row, name: withoutLoad(row.name) })
    const values = validSamples(row).map(of).filter(Number.isFinite)
    return x === undefined ? [] : [{ x, series, values, middle: median(values) }]
  })
  const points = rows.flatMap(({ series, x, middle: y }): Point[] => (y === null ? [] : [{ series, x, y }]))
  if (new Set(points.map(({ x }) => x)).size < 2) return null
  const names = [...new Set(points.map(({ series }) => series))]
  return curvesPlot({
    ...words,
    series: [...new Set([names.at(-1) as string, ...names])],
    points,
    spread: rows.flatMap(({ series, x, values }) => values.map(y => ({ series, x, y }))),
    x: { label, format: String },
    y: { label: unit || noun, digits },
  })
}

type TaskMetric = (typeof crossingMetrics)[number]

const ofTasks = {
  mainThreadMicros: {
    title: 'Main-thread cost of a task',
    unit: 'µs a task',
    digits: 1,
    howToRead:
      'CPU microseconds that the main thread spends on a task, inline and when the task leaves. Inline, this is the task itself; a task that leaves costs a message there and back.',
  },
  neighbourP99Ms: {
    title: 'How long others wait for the main thread',
    unit: 'ms (p99)',
    digits: 2,
    howToRead: 'Other work for the main thread waits at most this long while tasks run, 99 times of 100.',
  },
} as const satisfies Record<TaskMetric, object>

const CROSSING =
  'Both scales are logarithmic; marks are medians, small dots single samples. Where the lines cross, it begins to pay to run the task elsewhere.'

/** Plots cost and delay over the length of a task, for every measured payload and number of clients. */
export const taskLengthPlots = ({ cells }: BreakEvenResults): Plot[] =>
  [
    ...Map.groupBy(cells, ({ payloadBytes, concurrency }) => `${payloadBytes}-${concurrency}`).entries(),
  ].flatMap(([id, group]) =>
    (Object.keys(ofTasks) as TaskMetric[]).flatMap(metric => taskLengthPlot(id, group, metric) ?? []),
  )

function taskLengthPlot(id: string, cells: readonly CellResult[], metric: TaskMetric): Plot | null {
  const { title, unit, digits, howToRead } = ofTasks[metric]
  const points = cells.flatMap((cell): Point[] => {
    const y = cell[metric].median
    return y === null ? [] : [{ series: cell.compute, x: cell.lengthMicros, y }]
  })
  if (points.length === 0) return null
  return curvesPlot({
    id: `${metric}-${id}`,
    title: `${title}: ${describeLoad(cells[0] as Cell)}`,
    howToRead: `${howToRead} ${CROSSING}`,
    series: [...new Set(cells.map(({ compute }) => compute))],
    points,
    spread: cells.flatMap(({ compute: series, lengthMicros: x, samples }) =>
      samples.filter(({ valid }) => valid).map(sample => ({ series, x, y: cellMetrics[metric](sample) })),
    ),
    x: { label: 'length of the task', format: formatMicros },
    y: { label: unit, digits },
  })
}

const describeLoad = ({ payloadBytes, concurrency }: Cell) =>
  `${formatBytes(payloadBytes)}, ${concurrency === 1 ? 'one client' : `${concurrency} clients`}`
