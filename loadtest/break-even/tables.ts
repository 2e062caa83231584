import { type Column, renderColumns } from '../../lib/columns.ts'
import { bytesToMiB } from '../../lib/units.ts'
import type { Median } from '../statistics/median.ts'
import type { Cell } from './cells.ts'
import type { StartName } from './protocol.ts'
import type { BreakEvenResults, CellMetric, CellResult, HopResult, StartResult } from './results.ts'
import { describeCrossings, formatBytes, formatMicros } from './words.ts'

/** `renderColumns` or `renderMarkdownTable`. */
type RenderTable = <Row>(rows: readonly Row[], columns: readonly Column<Row>[]) => string

/** What the talk says of a thread and of a process. */
const talk: Readonly<Partial<Record<StartName, { startMs: number; memory: string }>>> = {
  thread: { startMs: 50, memory: '6.7' },
  process: { startMs: 70, memory: '8' },
}

/** What was found, in sentences and tables, for a terminal and for the docs. */
export function renderBreakEven(results: BreakEvenResults, table: RenderTable = renderColumns): string {
  const { crossings, idle, threadOverProcess } = results
  const { ratio, ci95 } = threadOverProcess.messagesPerSecond
  return [
    ...(results.partial
      ? ['This run is partial: it was interrupted before its last round was complete.']
      : []),
    'From which length on a task should leave the main thread:',
    describeCrossings(crossings)
      .map(sentence => `- ${sentence}`)
      .join('\n'),
    table(groupByLength(results.cells), cellColumns(results.cells)),
    `Where no task is asked for, neighbours wait ${withInterval(idle.neighbourP99Ms, 2)} ms (p99).`,
    table(groupByWay(results.hops), hopColumns(results.settings.payloadsBytes)),
    `A thread passes ${ratio?.toFixed(1) ?? '-'}${interval(ci95, 1)} times as many messages a second as a process; the talk says about 2.`,
    table(results.starts, startColumns),
  ].join('\n\n')
}

/** Cells that differ in nothing but who runs the task. */
type Line = readonly CellResult[]

const groupByLength = (cells: readonly CellResult[]): Line[] => [
  ...Map.groupBy(cells, ({ lengthMicros, payloadBytes, concurrency }) =>
    [payloadBytes, concurrency, lengthMicros].join(' '),
  ).values(),
]

function cellColumns(cells: readonly CellResult[]): Column<Line>[] {
  const computes = [...new Set(cells.map(({ compute }) => compute))]
  const of = (line: Line, compute: Cell['compute']) => line.find(cell => cell.compute === compute)
  const figures = (metric: CellMetric, title: string, digits: number): Column<Line>[] =>
    computes.map((compute, index) => ({
      title: index === 0 ? `${title} ${compute}` : compute,
      cell: line => middle(of(line, compute)?.[metric], digits),
    }))
  const point = (line: Line) => line[0] as CellResult
  return [
    { title: 'a task of', cell: line => formatMicros(point(line).lengthMicros) },
    { title: 'with', cell: line => formatBytes(point(line).payloadBytes) },
    { title: 'clients', cell: line => String(point(line).concurrency) },
    ...figures('mainThreadMicros', 'main thread µs', 1),
    ...figures('neighbourP99Ms', 'neighbours p99 ms', 2),
    ...figures('latencyP99Ms', 'the task p99 ms', 2),
  ]
}

export const groupByWay = (hops: readonly HopResult[]): (readonly HopResult[])[] => [
  ...Map.groupBy(hops, ({ channel, form }) => `${channel} ${form}`).values(),
]

export function hopColumns(payloadsBytes: readonly number[]): Column<readonly HopResult[]>[] {
  const sizes = (title: string, of: (hop: HopResult) => Median, digits: number) =>
    payloadsBytes.map(bytes => ({
      title: `${title}, ${formatBytes(bytes)}`,
      cell: (hops: readonly HopResult[]) => {
        const hop = hops.find(({ payloadBytes }) => payloadBytes === bytes)
        return middle(hop && of(hop), digits)
      },
    }))
  return [
    { title: 'there and back', cell: ([hop]) => `${hop?.channel}: ${hop?.form}` },
    ...sizes('messages/s', ({ messagesPerSecond }) => messagesPerSecond, 0),
    ...sizes('main thread µs', ({ mainThreadMicros }) => mainThreadMicros, 1),
  ]
}

export const startColumns: readonly Column<StartResult>[] = [
  { title: 'one more', cell: ({ name }) => name },
  { title: 'is up after ms', cell: ({ startMs }) => withInterval(startMs, 0) },
  { title: 'the talk, ms', cell: ({ name }) => String(talk[name]?.startMs ?? '-') },
  { title: 'takes MiB (PSS)', cell: ({ proportionalBytes }) => mebibytes(proportionalBytes) },
  { title: 'MiB (RSS)', cell: ({ residentBytes }) => mebibytes(residentBytes) },
  { title: 'the talk, MB', cell: ({ name }) => talk[name]?.memory ?? '-' },
]

const middle = (given: Median | undefined, digits: number) => given?.median?.toFixed(digits) ?? '-'

const withInterval = (given: Median, digits: number) =>
  `${middle(given, digits)}${interval(given.ci95, digits)}`

const interval = (ci95: Median['ci95'], digits: number) =>
  ci95 ? ` [${ci95.map(end => end.toFixed(digits)).join(', ')}]` : ''

const mebibytes = (bytes: Median | null) =>
  bytes === null
    ? '-'
    : withInterval(
        {
          median: bytes.median && bytesToMiB(bytes.median),
          ci95: bytes.ci95 && [bytesToMiB(bytes.ci95[0]), bytesToMiB(bytes.ci95[1])],
        },
        1,
      )
