import type { Column } from '../../../lib/cli/columns.ts'
import { bytesToMiB } from '../../../lib/units.ts'
import { type Presentation, table } from '../../declaration/presentation.ts'
import { middle, scaled } from '../../outcome/format.ts'
import type { Median } from '../../statistics/median.ts'
import { type Cell, formatBytes, formatConcurrency, formatMicros } from './cells.ts'
import type { Length } from './crossing.ts'
import { taskLengthPlots } from './plots.ts'
import { describeOrder } from './protocol.ts'
import {
  type BreakEvenResults,
  type CellMetric,
  type CellResult,
  type CrossingResult,
  groupByLength,
  groupByPayload,
  type StartResult,
} from './results.ts'

export const CROSSINGS_TITLE = 'From which length on a task should leave the main thread'
export const LENGTHS_TITLE = 'A task of each length'

export const breakEvenPresentation: Presentation<BreakEvenResults> = {
  heading: () => ({
    title: 'Should a task leave the main thread?',
    introduction:
      'How long a task must run before it pays to move it off the main thread, and what a thread and a process cost.',
  }),
  answer: ({ crossings }) => answerOf(crossings),
  method: ({ settings: { rounds, windowMs, threads } }) =>
    `${rounds} rounds, windows of ${windowMs} ms, ${describePool(threads)} a pool`,
  content: results => [
    table(CROSSINGS_TITLE, groupByPayload(results.crossings), crossingColumns(results.crossings)),
    table(LENGTHS_TITLE, groupByLength(results.cells), cellColumns(results.cells)),
    table('One additional thread, one additional process', results.starts, startColumns),
  ],
  plots: taskLengthPlots,
  measured: ({ cells, starts }) => [
    ...cells.map(cell => ({ name: describeOrder({ kind: 'cell', cell }), samples: cell.samples })),
    ...starts.map(({ name, samples }) => ({ name: describeOrder({ kind: 'start', name }), samples })),
  ],
}

const describePool = (threads: number) =>
  threads === 1 ? '1 thread or process' : `${threads} threads or processes`

const NOTHING: Median = { median: null, ci95: null }

type Line = readonly CellResult[]

function cellColumns(cells: readonly CellResult[]): Column<Line>[] {
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

const startColumns: readonly Column<StartResult>[] = [
  { title: 'one additional', cell: ({ name }) => name },
  { title: 'starts in ms', cell: ({ startMs }) => middle(startMs, 0) },
  { title: 'takes MiB (PSS)', cell: ({ proportionalBytes }) => mebibytes(proportionalBytes) },
  { title: 'MiB (RSS)', cell: ({ residentBytes }) => mebibytes(residentBytes) },
]

const mebibytes = (bytes: Median | null) => (bytes === null ? '-' : middle(scaled(bytes, bytesToMiB(1)), 1))

const gains = {
  mainThreadMicros: { title: 'cheaper for the main thread', answer: 'costs the main thread less' },
  neighbourP99Ms: { title: 'p99 of others lower', answer: 'makes other requests wait less (p99)' },
} as const satisfies Record<CrossingResult['metric'], { title: string; answer: string }>

type Payload = readonly CrossingResult[]

const columnOf = ({ metric, compute }: CrossingResult) => `${compute}: ${gains[metric].title}`

/** A row for each payload and concurrency: from which length on each implementation is better than `inline`. */
export function crossingColumns(crossings: readonly CrossingResult[]): Column<Payload>[] {
  const point = (payload: Payload) => payload[0] as CrossingResult
  return [
    { title: 'input', cell: payload => formatBytes(point(payload).payloadBytes) },
    { title: 'tasks at a time', cell: payload => String(point(payload).concurrency) },
    ...[...new Set(crossings.map(columnOf))].map(title => ({
      title,
      cell(payload: Payload) {
        const crossing = payload.find(each => columnOf(each) === title)
        return crossing ? describeCrossing(crossing) : '-'
      },
    })),
  ]
}

export function answerOf([first]: readonly CrossingResult[]): string {
  if (!first) return 'No length of a task was found to break even.'
  const { metric, compute, payloadBytes, concurrency } = first
  return `With ${formatBytes(payloadBytes)} of input, ${formatConcurrency(concurrency)}, a task ${gains[metric].answer} with ${compute} than inline: ${describeCrossing(first)}.`
}

function describeCrossing({ lengthMicros, ci95, rangeMicros, rounds }: CrossingResult): string {
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
