import { record } from '../../../lib/record.ts'
import { describeMedian, type Interval, median } from '../../statistics/median.ts'
import { pairedRatio } from '../../statistics/ratio.ts'
import type { Cell } from './cells.ts'
import { describeCrossing, findCrossing, type Length } from './crossing.ts'
import type { Order, Reports, StartName, StartReport } from './protocol.ts'
import {
  type BreakEvenResults,
  type CellResult,
  type CrossingResult,
  cellMetricNames,
  cellMetrics,
  crossingMetrics,
  type HopResult,
  type Sample,
  type StartResult,
} from './results.ts'

/** An order with all its samples so far. */
export interface Taken<Kind extends Order['kind'] = Order['kind']> {
  readonly order: Extract<Order, { kind: Kind }>
  readonly samples: Sample<Reports[Kind]>[]
}

type Findings = Pick<
  BreakEvenResults,
  'cells' | 'crossings' | 'hops' | 'threadOverProcess' | 'starts' | 'idle'
>

/** Summarizes the samples so far. Only valid samples count, but all are listed. */
export function summarize(taken: readonly Taken[]): Findings {
  const of = <Kind extends Order['kind']>(kind: Kind) =>
    taken.filter((each): each is Taken<Kind> & Taken => each.order.kind === kind) as readonly Taken<Kind>[]
  const cells = of('cell').map(({ order, samples }) => describeCell(order.cell, samples))
  const hops = of('hop').map(({ order, samples }) => ({ ...order.hop, samples }))
  const idle = of('idle').flatMap(({ samples }) => samples)
  return {
    cells,
    crossings: findCrossings(cells),
    hops,
    threadOverProcess: { messagesPerSecond: compareMessages(hops) },
    starts: of('start').map(({ order, samples }) => describeStart(order.name, samples)),
    idle: {
      neighbourP99Ms: describeMedian(valid(idle).map(({ neighbourDelayMs }) => neighbourDelayMs.p99)),
      samples: idle,
    },
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

function compareMessages(hops: readonly HopResult[]) {
  const samplesOf = (channel: HopResult['channel']) =>
    valid(hops.find(hop => hop.channel === channel)?.samples ?? [])
  const others = samplesOf('process')
  const pairs = samplesOf('thread').flatMap(sample => {
    const other = others.find(({ round }) => round === sample.round)
    return other ? [[sample.roundTripsPerSecond, other.roundTripsPerSecond] as Interval] : []
  })
  return pairedRatio(pairs, 'higher')
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
