import { type Cell, formatBytes, formatMicros } from '../../commands/break-even/cells.ts'
import {
  type BreakEvenResults,
  type CellResult,
  cellMetrics,
  type crossingMetrics,
} from '../../commands/break-even/results.ts'
import { curvesPlot, type Point } from '../curves.ts'
import type { Plot } from '../plot.ts'

type Metric = (typeof crossingMetrics)[number]

const metrics = {
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
} as const satisfies Record<Metric, object>

const HOW_TO_READ =
  'Both scales are logarithmic; marks are medians, small dots single samples. Where the lines cross, it begins to pay to run the task elsewhere.'

/** Plots cost and delay over the length of a task, for every measured payload and number of clients. */
export const taskLengthPlots = ({ cells }: BreakEvenResults): Plot[] =>
  [
    ...Map.groupBy(cells, ({ payloadBytes, concurrency }) => `${payloadBytes}-${concurrency}`).entries(),
  ].flatMap(([id, group]) =>
    (Object.keys(metrics) as Metric[]).flatMap(metric => taskLengthPlot(id, group, metric) ?? []),
  )

function taskLengthPlot(id: string, cells: readonly CellResult[], metric: Metric): Plot | null {
  const { title, unit, digits, howToRead } = metrics[metric]
  const points = cells.flatMap((cell): Point[] => {
    const y = cell[metric].median
    return y === null ? [] : [{ series: cell.compute, x: cell.lengthMicros, y }]
  })
  if (points.length === 0) return null
  const spread = cells.flatMap(({ compute, lengthMicros, samples }) =>
    samples
      .filter(({ valid }) => valid)
      .map((sample): Point => ({ series: compute, x: lengthMicros, y: cellMetrics[metric](sample) })),
  )
  return curvesPlot({
    id: `${metric}-${id}`,
    title: `${title}: ${describeLoad(cells[0] as Cell)}`,
    howToRead: `${howToRead} ${HOW_TO_READ}`,
    series: [...new Set(cells.map(({ compute }) => compute))],
    points,
    spread,
    x: { label: 'length of the task', format: formatMicros },
    y: { label: unit, digits },
  })
}

const describeLoad = ({ payloadBytes, concurrency }: Cell) =>
  `${formatBytes(payloadBytes)}, ${concurrency === 1 ? 'one client' : `${concurrency} clients`}`
