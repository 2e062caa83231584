import { record } from '../../../lib/record.ts'
import type { Judged } from '../../outcome/noisy.ts'
import type { SavedRun } from '../../outcome/results.ts'
import type { RoundsResults } from '../../run/rounds.ts'
import {
  describeMedian,
  type Interval,
  type Median,
  median,
  medianInterval,
} from '../../statistics/median.ts'
import type { Cell, Report } from './protocol.ts'

export type BreakEvenSettings = SavedRun['settings'] & {
  readonly threads: number
  readonly windowMs: number
  /** Number of iterations of the task that take a microsecond on an undisturbed core. */
  readonly iterationsPerMicro: number
}

/** The measurement of one process. A refused sample is followed by its repetition. */
export type Sample = Report & Judged & { readonly round: number }

export type BreakEvenResults = RoundsResults<BreakEvenSettings, Findings>

export interface Findings {
  readonly cells: readonly CellResult[]
  readonly crossings: readonly Crossing[]
}

/** Medians of valid samples, with their intervals by rank. */
export interface CellResult extends Cell, Readonly<Record<CellMetric, Median>> {
  readonly samples: readonly Sample[]
}

/** The metrics of a cell. Micros are CPU microseconds a task. */
const cellMetrics = {
  mainThreadMicros: (sample: Report) => sample.mainThreadMicros,
  latencyP99Ms: (sample: Report) => sample.latencyMs.p99,
} as const

export type CellMetric = keyof typeof cellMetrics

/** The length of a task, or `below` the shortest or `above` the longest measured length. */
export type Length = number | 'below' | 'above'

/** The length from which on a task costs the main thread less with `compute` than inline, for one payload and concurrency. */
export interface Crossing extends Pick<Cell, 'compute' | 'payloadBytes' | 'concurrency'> {
  /** The shortest and the longest length that were measured. */
  readonly rangeMicros: Interval
  /** Median of the rounds; null when there are none, or when they contradict each other. */
  readonly lengthMicros: Length | null
  /** Interval by rank; null for fewer than six rounds. */
  readonly ci95: readonly [Length, Length] | null
  readonly rounds: readonly Length[]
}

/** Summarizes the samples so far. Only valid samples count, but all are listed. */
export function summarize(taken: ReadonlyMap<Cell, readonly Sample[]>): Findings {
  const cells = [...taken].map(([cell, samples]) => ({
    ...cell,
    ...record(Object.keys(cellMetrics) as CellMetric[], metric =>
      describeMedian(samples.filter(({ valid }) => valid).map(cellMetrics[metric])),
    ),
    samples,
  }))
  return { cells, crossings: groupByPayload(cells).flatMap(findCrossings) }
}

/** Groups cells, or what was found of them, with the same payload and concurrency. */
export const groupByPayload = <Of extends Pick<Cell, 'payloadBytes' | 'concurrency'>>(all: readonly Of[]) => [
  ...Map.groupBy(all, ({ payloadBytes, concurrency }) => `${payloadBytes} ${concurrency}`).values(),
]

/** The cells of each length, which differ only in the implementation that runs the task. */
export const groupByLength = (cells: readonly CellResult[]): CellResult[][] =>
  groupByPayload(cells).flatMap(line => [...Map.groupBy(line, ({ lengthMicros }) => lengthMicros).values()])

/** @param line all cells of one payload and concurrency */
function findCrossings(line: readonly CellResult[]): Crossing[] {
  const { payloadBytes, concurrency } = line[0] as CellResult
  const lengths = line.map(({ lengthMicros }) => lengthMicros)
  const elsewhere = [...new Set(line.map(({ compute }) => compute))].filter(name => name !== 'inline')
  return elsewhere.map(compute => ({
    compute,
    payloadBytes,
    concurrency,
    rangeMicros: [Math.min(...lengths), Math.max(...lengths)],
    ...describeRounds(crossingsByRound(line, compute)),
  }))
}

function crossingsByRound(line: readonly CellResult[], compute: Cell['compute']): Length[] {
  const rounds = new Set(line.flatMap(({ samples }) => samples.map(({ round }) => round)))
  const valueIn = (name: Cell['compute'], lengthMicros: number, round: number) => {
    const cell = line.find(each => each.compute === name && each.lengthMicros === lengthMicros)
    return cell?.samples.find(each => each.valid && each.round === round)?.mainThreadMicros
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

interface Point {
  readonly lengthMicros: number
  readonly inline: number
  readonly elsewhere: number
}

/**
 * Finds the length above which tasks of all measured lengths are cheaper elsewhere, by straight lines between logarithms.
 * @param points of one round, in ascending order of length
 */
export function findCrossing(points: readonly Point[]): Length {
  const leads = points.map(({ inline, elsewhere }) => Math.log(inline / elsewhere))
  const last = leads.findLastIndex(lead => lead <= 0)
  if (last === points.length - 1) return 'above'
  if (last === -1) return 'below'
  const [before, after] = [points[last], points[last + 1]] as [Point, Point]
  const [from, to] = [leads[last], leads[last + 1]] as [number, number]
  const share = from / (from - to)
  return before.lengthMicros * (after.lengthMicros / before.lengthMicros) ** share
}

/** By their median. Lengths outside of the measured range count in the order, but have no value. */
export function describeRounds(
  rounds: readonly Length[],
): Pick<Crossing, 'lengthMicros' | 'ci95' | 'rounds'> {
  const logs = rounds.map(toLog)
  const interval = medianInterval(logs)
  const middle = median(logs)
  return {
    lengthMicros: middle === null || Number.isNaN(middle) ? null : fromLog(middle),
    ci95: interval && [fromLog(interval[0]), fromLog(interval[1])],
    rounds,
  }
}

function toLog(length: Length): number {
  if (length === 'below') return Number.NEGATIVE_INFINITY
  return length === 'above' ? Number.POSITIVE_INFINITY : Math.log(length)
}

const fromLog = (log: number): Length => (Number.isFinite(log) ? Math.exp(log) : log < 0 ? 'below' : 'above')
