import type { Column } from '../../../lib/cli/columns.ts'
import { type Presentation, table } from '../../declaration/presentation.ts'
import { middle } from '../../outcome/format.ts'
import { type Cell, gridComputes } from './protocol.ts'
import {
  type BreakEvenResults,
  type CellMetric,
  type CellResult,
  type Crossing,
  groupByLength,
  groupByPayload,
  type Length,
} from './results.ts'

export const breakEvenPresentation: Presentation<BreakEvenResults> = {
  title: () => 'Should a task leave the main thread?',
  answer: ({ crossings }) => answerOf(crossings),
  method: ({ settings: { rounds, windowMs, threads } }) =>
    `${rounds} rounds, windows of ${windowMs} ms, ${threads === 1 ? '1 thread or process' : `${threads} threads or processes`} a pool`,
  content: ({ cells, crossings }) => [
    table(
      'From which length on a task should leave the main thread',
      groupByPayload(crossings) as [Crossing, ...Crossing[]][],
      crossingColumns,
    ),
    table('A task of each length', groupByLength(cells), cellColumns),
  ],
  plots: () => [],
  measured: ({ cells }) => cells.map(cell => ({ name: describeCell(cell), samples: cell.samples })),
}

export const formatMicros = (micros: number): string => formatScaled(micros, ['µs', 'ms', 's'])
export const formatBytes = (bytes: number): string => formatScaled(bytes, ['B', 'KB', 'MB'])

/** Formats a value with two digits, or three from 100 on: `85 µs`, `1.2 ms`, `100 KB`. */
function formatScaled(value: number, units: readonly [string, string, string]): string {
  const step = value >= 1e6 ? 2 : value >= 1e3 ? 1 : 0
  const scaled = value / 1000 ** step
  return `${Number(scaled.toPrecision(scaled >= 100 ? 3 : 2))} ${units[step]}`
}

const formatConcurrency = (concurrency: number): string =>
  concurrency === 1 ? 'one task at a time' : `${concurrency} at a time`

export const describeCell = ({ compute, lengthMicros, payloadBytes, concurrency }: Cell): string =>
  `${compute}, ${formatMicros(lengthMicros)}, ${formatBytes(payloadBytes)}, ${formatConcurrency(concurrency)}`

type Line = readonly CellResult[]

const pointOf = (line: Line) => line[0] as CellResult

const valuesOf = (metric: CellMetric, title: string, digits: number): Column<Line>[] =>
  gridComputes.map((compute, index) => ({
    title: index === 0 ? `${title} ${compute}` : compute,
    cell(line) {
      const cell = line.find(each => each.compute === compute)
      return cell ? middle(cell[metric], digits, false) : '-'
    },
  }))

const cellColumns: readonly Column<Line>[] = [
  { title: 'a task of', cell: line => formatMicros(pointOf(line).lengthMicros) },
  { title: 'with', cell: line => formatBytes(pointOf(line).payloadBytes) },
  { title: 'clients', cell: line => String(pointOf(line).concurrency) },
  ...valuesOf('mainThreadMicros', 'main thread µs', 1),
  ...valuesOf('latencyP99Ms', 'the task p99 ms', 2),
]

type Payload = readonly [Crossing, ...Crossing[]]

/** A row for each payload and concurrency: from which length on each implementation is cheaper than `inline`. */
export const crossingColumns: readonly Column<Payload>[] = [
  { title: 'input', cell: ([{ payloadBytes }]) => formatBytes(payloadBytes) },
  { title: 'tasks at a time', cell: ([{ concurrency }]) => String(concurrency) },
  ...gridComputes.slice(1).map(name => ({
    title: `${name}: cheaper for the main thread`,
    cell(payload: Payload) {
      const crossing = payload.find(({ compute }) => compute === name)
      return crossing ? describeCrossing(crossing) : '-'
    },
  })),
]

export function answerOf([first]: readonly Crossing[]): string {
  if (!first) return 'No length of a task was found to break even.'
  const { compute, payloadBytes, concurrency } = first
  return `With ${formatBytes(payloadBytes)} of input, ${formatConcurrency(concurrency)}, a task costs the main thread less with ${compute} than inline: ${describeCrossing(first)}.`
}

function describeCrossing({ lengthMicros, ci95, rangeMicros, rounds }: Crossing): string {
  if (rounds.length === 0) return 'unknown (no round has the needed lengths)'
  if (lengthMicros === null) return 'unknown (the rounds do not agree)'
  const name = (length: Length) => {
    if (length === 'below') return `< ${formatMicros(rangeMicros[0])}`
    return length === 'above' ? `> ${formatMicros(rangeMicros[1])}` : formatMicros(length)
  }
  const interval = ci95 ? ` [${ci95.map(name).join(', ')}]` : ''
  if (lengthMicros === 'below') return `at all lengths${interval}`
  if (lengthMicros === 'above') return `at no length${interval}`
  return `from ${name(lengthMicros)}${interval}`
}
