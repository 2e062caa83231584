import { record } from '../../../lib/record.ts'
import type { SavedRun } from '../../outcome/results.ts'
import type { RoundsResults } from '../../run/rounds.ts'
import { describeMedian, type Interval, type Median, median } from '../../statistics/median.ts'
import type { Axes, Cell } from './cells.ts'
import { type Crossing, describeCrossing, findCrossing, type Length } from './crossing.ts'
import type { CellReport, Order, StartName, StartReport } from './protocol.ts'

export type BreakEvenSettings = Axes &
  SavedRun['settings'] & {
    readonly threads: number
    /** Length of each of the two windows of a cell: one measures its cost, the other the delay of its neighbours. */
    readonly windowMs: number
    /** Number of iterations of the task that take a microsecond on an undisturbed core. */
    readonly iterationsPerMicro: number
  }

/** The measurement of one process. A refused sample is followed by its repetition. */
export type Sample<Report> = Report & {
  readonly round: number
  readonly valid: boolean
  readonly reason: string | null
  /** How the machine disturbed the sample; null when it did not. */
  readonly noise: string | null
}

export type AnySample = Sample<CellReport | StartReport>

export type BreakEvenResults = RoundsResults<BreakEvenSettings, Findings>

export interface Findings {
  readonly cells: readonly CellResult[]
  readonly crossings: readonly CrossingResult[]
  readonly starts: readonly StartResult[]
}

/** Medians of valid samples, with their intervals by rank. */
export interface CellResult extends Cell, Readonly<Record<CellMetric, Median>> {
  readonly samples: readonly Sample<CellReport>[]
}

/** The metrics of a cell. Micros are CPU microseconds a task. */
const cellMetrics = {
  mainThreadMicros: (sample: CellReport) => sample.mainThreadMicros,
  latencyP99Ms: (sample: CellReport) => sample.latencyMs.p99,
  neighbourP99Ms: (sample: CellReport) => sample.neighbourDelayMs.p99,
} as const

export type CellMetric = keyof typeof cellMetrics

/** The metrics that decide whether a task should leave the main thread. */
const crossingMetrics = ['mainThreadMicros', 'neighbourP99Ms'] as const satisfies readonly CellMetric[]

/** The length from which on `compute` is better than `inline`, for one payload and concurrency. */
export interface CrossingResult extends Crossing, Pick<Cell, 'compute' | 'payloadBytes' | 'concurrency'> {
  readonly metric: (typeof crossingMetrics)[number]
  /** The shortest and the longest length that were measured. */
  readonly rangeMicros: Interval
}

export interface StartResult {
  readonly name: StartName
  readonly startMs: Median
  /** Memory that one more adds; null when the system does not tell. */
  readonly proportionalBytes: Median | null
  readonly residentBytes: Median | null
  readonly samples: readonly Sample<StartReport>[]
}

/** Summarizes the samples so far. Only valid samples count, but all are listed. */
export function summarize(taken: ReadonlyMap<Order, readonly AnySample[]>): Findings {
  const cells: CellResult[] = []
  const starts: StartResult[] = []
  for (const [order, samples] of taken)
    if (order.kind === 'cell') cells.push(describeCell(order.cell, samples as CellResult['samples']))
    else starts.push(describeStart(order.name, samples as StartResult['samples']))
  return { cells, crossings: groupByPayload(cells).flatMap(findCrossings), starts }
}

const valid = <Report>(samples: readonly Sample<Report>[]) => samples.filter(sample => sample.valid)

const describeCell = (cell: Cell, samples: CellResult['samples']): CellResult => ({
  ...cell,
  ...record(Object.keys(cellMetrics) as CellMetric[], metric =>
    describeMedian(valid(samples).map(cellMetrics[metric])),
  ),
  samples,
})

function describeStart(name: StartName, samples: StartResult['samples']): StartResult {
  const memories = valid(samples).flatMap(({ memory }) => memory ?? [])
  const describeMemory = (field: 'proportionalBytes' | 'residentBytes') =>
    memories.length === 0 ? null : describeMedian(memories.map(memory => memory[field]))
  return {
    name,
    startMs: describeMedian(valid(samples).map(({ startMs }) => median(startMs) as number)),
    proportionalBytes: describeMemory('proportionalBytes'),
    residentBytes: describeMemory('residentBytes'),
    samples,
  }
}

/** Groups cells, or what was found of them, with the same payload and concurrency. */
export const groupByPayload = <Of extends Pick<Cell, 'payloadBytes' | 'concurrency'>>(all: readonly Of[]) => [
  ...Map.groupBy(all, ({ payloadBytes, concurrency }) => `${payloadBytes} ${concurrency}`).values(),
]

/** The cells of each length, which differ only in the implementation that runs the task. */
export const groupByLength = (cells: readonly CellResult[]): CellResult[][] =>
  groupByPayload(cells).flatMap(line => [...Map.groupBy(line, ({ lengthMicros }) => lengthMicros).values()])

/** @param line all cells of one payload and concurrency */
function findCrossings(line: readonly CellResult[]): CrossingResult[] {
  const { payloadBytes, concurrency } = line[0] as CellResult
  const lengths = line.map(({ lengthMicros }) => lengthMicros)
  const elsewhere = [...new Set(line.map(({ compute }) => compute))].filter(name => name !== 'inline')
  return crossingMetrics.flatMap(metric =>
    elsewhere.map(compute => ({
      metric,
      compute,
      payloadBytes,
      concurrency,
      rangeMicros: [Math.min(...lengths), Math.max(...lengths)] as const,
      ...describeCrossing(crossingsByRound(line, compute, metric)),
    })),
  )
}

function crossingsByRound(
  line: readonly CellResult[],
  compute: Cell['compute'],
  metric: CrossingResult['metric'],
): Length[] {
  const rounds = new Set(line.flatMap(({ samples }) => samples.map(({ round }) => round)))
  const valueIn = (name: Cell['compute'], lengthMicros: number, round: number) => {
    const cell = line.find(each => each.compute === name && each.lengthMicros === lengthMicros)
    const sample = valid(cell?.samples ?? []).find(each => each.round === round)
    return sample && cellMetrics[metric](sample)
  }
  const lengths = [...new Set(line.map(({ lengthMicros }) => lengthMicros))]
  return [...rounds].flatMap(round => {
    const points = lengths.flatMap(lengthMicros => {
      const inline = valueIn('inline', lengthMicros, round)
      const elsewhere = valueIn(compute, lengthMicros, round)
      return inline === undefined || elsewhere === undefined ? [] : [{ lengthMicros, inline, elsewhere }]
    })
    if (points.length === 0) return []
    const crossing = findCrossing(points)
    // A round that has lost its shortest or longest length does not know what lies there.
    if (crossing === 'below' && points[0]?.lengthMicros !== lengths[0]) return []
    if (crossing === 'above' && points.at(-1)?.lengthMicros !== lengths.at(-1)) return []
    return [crossing]
  })
}
