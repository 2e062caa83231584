import type { Column } from '../../../lib/cli/columns.ts'
import { bytesToMiB } from '../../../lib/units.ts'
import { middle, scaled } from '../../outcome/format.ts'
import type { Median } from '../../statistics/median.ts'
import type { Cell } from './cells.ts'
import type { StartName } from './protocol.ts'
import type { CellMetric, CellResult, StartResult } from './results.ts'
import { formatBytes, formatMicros } from './words.ts'

/** The values of the talk for a thread and a process. */
const talk: Readonly<Partial<Record<StartName, { startMs: number; memory: string }>>> = {
  thread: { startMs: 50, memory: '6.7' },
  process: { startMs: 70, memory: '8' },
}

/** The cost of a task that was not measured. */
const NOTHING: Median = { median: null, ci95: null }

/** Cells that differ only in the implementation that runs the task. */
type Line = readonly CellResult[]

export const groupByLength = (cells: readonly CellResult[]): Line[] => [
  ...Map.groupBy(cells, ({ lengthMicros, payloadBytes, concurrency }) =>
    [payloadBytes, concurrency, lengthMicros].join(' '),
  ).values(),
]

export function cellColumns(cells: readonly CellResult[]): Column<Line>[] {
  const computes = [...new Set(cells.map(({ compute }) => compute))]
  const of = (line: Line, compute: Cell['compute']) => line.find(cell => cell.compute === compute)
  const valuesOf = (metric: CellMetric, title: string, digits: number): Column<Line>[] =>
    computes.map((compute, index) => ({
      title: index === 0 ? `${title} ${compute}` : compute,
      cell: line => middle(of(line, compute)?.[metric] ?? NOTHING, digits, false),
    }))
  const point = (line: Line) => line[0] as CellResult
  return [
    { title: 'a task of', cell: line => formatMicros(point(line).lengthMicros) },
    { title: 'with', cell: line => formatBytes(point(line).payloadBytes) },
    { title: 'clients', cell: line => String(point(line).concurrency) },
    ...valuesOf('mainThreadMicros', 'main thread µs', 1),
    ...valuesOf('neighbourP99Ms', 'neighbours p99 ms', 2),
    ...valuesOf('latencyP99Ms', 'the task p99 ms', 2),
  ]
}

export const startColumns: readonly Column<StartResult>[] = [
  { title: 'one additional', cell: ({ name }) => name },
  { title: 'starts in ms', cell: ({ startMs }) => middle(startMs, 0) },
  { title: 'the talk, ms', cell: ({ name }) => String(talk[name]?.startMs ?? '-') },
  { title: 'takes MiB (PSS)', cell: ({ proportionalBytes }) => mebibytes(proportionalBytes) },
  { title: 'MiB (RSS)', cell: ({ residentBytes }) => mebibytes(residentBytes) },
  { title: 'the talk, MB', cell: ({ name }) => talk[name]?.memory ?? '-' },
]

const mebibytes = (bytes: Median | null) => (bytes === null ? '-' : middle(scaled(bytes, bytesToMiB(1)), 1))
