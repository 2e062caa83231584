import { record } from '../../../lib/record.ts'
import type { RoundsResults, RoundsSettings } from '../../run/rounds.ts'
import { describeMedian, type Interval, type Median, median } from '../../statistics/median.ts'
import type { Axes, Cell } from './cells.ts'
import { type Crossing, describeCrossing, findCrossing, type Length } from './crossing.ts'
import type { CellReport, Order, Reports, StartName, StartReport } from './protocol.ts'

export interface BreakEvenSettings extends Axes, RoundsSettings {
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
export const cellMetrics = {
  mainThreadMicros: (sample: CellReport) => sample.mainThreadMicros,
  /** Latency of the task itself. */
  latencyP99Ms: (sample: CellReport) => sample.latencyMs.p99,
  /** Delay of other work for the main thread. */
  neighbourP99Ms: (sample: CellReport) => sample.neighbourDelayMs.p99,
} as const

export type CellMetric = keyof typeof cellMetrics
const cellMetricNames = Object.keys(cellMetrics) as CellMetric[]

/** The metrics that decide whether a task should leave the main thread. */
export const crossingMetrics = ['mainThreadMicros', 'neighbourP99Ms'] as const satisfies readonly CellMetric[]

/** The length from which on `compute` is better than `inline`, for one payload and concurrency. */
export interface CrossingResult extends Crossing {
  readonly metric: (typeof crossingMetrics)[number]
  readonly compute: Cell['compute']
  readonly payloadBytes: number
  readonly concurrency: number
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
export function summarize(taken: ReadonlyMap<Order, readonly Sample<Reports[Order['kind']]>[]>): Findings {
  const of = <Kind extends Order['kind']>(kind: Kind) =>
    [...taken].filter(([order]) => order.kind === kind) as unknown as readonly [
      Extract<Order, { kind: Kind }>,
      readonly Sample<Reports[Kind]>[],
    ][]
  const cells = of('cell').map(([{ cell }, samples]) => describeCell(cell, samples))
  return {
    cells,
    crossings: findCrossings(cells),
    starts: of('start').map(([{ name }, samples]) => describeStart(name, samples)),
  }
}

const valid = <Report>(samples: readonly Sample<Report>[]) => samples.filter(sample => sample.valid)

const describeCell = (cell: Cell, samples: CellResult['samples']): CellResult => ({
  ...cell,
  ...record(cellMetricNames, metric => describeMedian(valid(samples).map(cellMetrics[metric]))),
  samples,
})

function findCrossings(cells: readonly CellResult[]): CrossingResult[] {
  const lines = Map.groupBy(cells, ({ payloadBytes, concurrency }) => `${payloadBytes} ${concurrency}`)
  return [...lines.values()].flatMap(line => {
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
  })
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
      const [inline, elsewhere] = [
        valueIn('inline', lengthMicros, round),
        valueIn(compute, lengthMicros, round),
      ]
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

function describeStart(name: StartName, samples: readonly Sample<StartReport>[]): StartResult {
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
