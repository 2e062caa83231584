import { type Mark, type Plot, renderLines, scaleOfValues } from '../../report/plot.ts'
import { type Cell, formatBytes, formatMicros } from './cells.ts'
import {
  type BreakEvenResults,
  type CellResult,
  type CrossingResult,
  groupByLength,
  groupByPayload,
} from './results.ts'

const HOW_TO_READ =
  'There is a line for each length of a task, on one logarithmic scale. The dot is the median inline, the ring in threads, the diamond in processes: where the dot is no longer the first from the left, it begins to pay to run the task elsewhere.'

const marks = {
  inline: { kind: 'dot', color: 'var(--text)' },
  threads: { kind: 'ring', color: 'var(--mark)' },
  processes: { kind: 'diamond' },
} as const satisfies Record<Cell['compute'], Omit<Mark, 'at'>>

const metrics = {
  mainThreadMicros: {
    title: 'Main-thread cost of a task',
    unit: 'µs a task',
    howToRead:
      'CPU microseconds that the main thread spends on a task. Inline, this is the task itself; a task that leaves costs a message there and back.',
  },
  neighbourP99Ms: {
    title: 'How long others wait for the main thread',
    unit: 'ms (p99)',
    howToRead: 'Other work for the main thread waits at most this long while tasks run, 99 times of 100.',
  },
} as const satisfies Record<CrossingResult['metric'], object>

/** Plots cost and delay by the length of a task, for every measured payload and number of clients. */
export const taskLengthPlots = ({ cells }: BreakEvenResults): Plot[] =>
  groupByPayload(cells).flatMap(group => [plotOf(group, 'mainThreadMicros'), plotOf(group, 'neighbourP99Ms')])

function plotOf(cells: readonly CellResult[], metric: CrossingResult['metric']): Plot {
  const { unit, howToRead } = metrics[metric]
  const { payloadBytes, concurrency } = cells[0] as CellResult
  const clients = concurrency === 1 ? 'one client' : `${concurrency} clients`
  const title = `${metrics[metric].title}: ${formatBytes(payloadBytes)}, ${clients}`
  const lines = groupByLength(cells).map(line => {
    const known = line.flatMap(({ compute, [metric]: { median } }) =>
      median === null ? [] : [{ compute, median }],
    )
    const [least] = known.toSorted((one, other) => one.median - other.median)
    return {
      known,
      name: formatMicros(line[0]?.lengthMicros ?? 0),
      label: least?.compute ?? 'no valid sample',
      marks: known.map(({ compute, median }): Mark => ({ ...marks[compute], at: median })),
    }
  })
  const all = lines.flatMap(({ known }) => known.map(({ median }) => median))
  return {
    id: `${metric}-${payloadBytes}-${concurrency}`,
    title,
    summary: `The least ${unit}, by the length of the task: ${lines.map(({ name, label }) => `${name}: ${label}`).join('; ')}.`,
    howToRead: `${howToRead} ${HOW_TO_READ}`,
    image: renderLines(lines, scaleOfValues(all, unit)),
  }
}
