import { type Axes, type Cell, findLongTurns } from './cells.ts'
import type { Length } from './crossing.ts'
import type { Order } from './protocol.ts'
import type { CrossingResult } from './results.ts'

/** Words for lengths, sizes and orders. */

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

const describeCell = ({ compute, lengthMicros, payloadBytes, concurrency }: Cell): string =>
  `${compute}, ${formatMicros(lengthMicros)}, ${formatBytes(payloadBytes)}, ${formatConcurrency(concurrency)}`

export function describeOrder(order: Order): string {
  switch (order.kind) {
    case 'cell':
      return describeCell(order.cell)
    case 'hop':
      return `messages of ${formatBytes(order.hop.payloadBytes)} to a ${order.hop.channel}`
    case 'start':
      return `start of a ${order.name}`
    case 'idle':
      return 'neighbours alone, without tasks'
  }
}

/** Says which lengths are not measured, a sentence for each concurrency. */
export const describeLongTurns = (axes: Axes): string[] =>
  findLongTurns(axes).map(({ concurrency, lengthsMicros }) => {
    const lengths = lengthsMicros.map(formatMicros).join(', ')
    return `left out, ${formatConcurrency(concurrency)}: ${lengths}; the main thread would be blocked for over 100 ms`
  })

const gains = {
  mainThreadMicros: 'a task costs the main thread less than inline',
  neighbourP99Ms: 'other messages wait less than inline (p99)',
} as const satisfies Record<CrossingResult['metric'], string>

/**
 * Describes the crossings: one sentence for each payload, concurrency and metric, with all implementations that a
 * task could leave to.
 */
export const describeCrossings = (crossings: readonly CrossingResult[]): string[] =>
  [
    ...Map.groupBy(
      crossings,
      ({ payloadBytes, concurrency, metric }) => `${payloadBytes} ${concurrency} ${metric}`,
    ).values(),
  ].map(group => {
    const { payloadBytes, concurrency, metric } = group[0] as CrossingResult
    const where = `${formatBytes(payloadBytes)}, ${formatConcurrency(concurrency)}`
    return `${where}: ${gains[metric]} with ${group.map(describeCrossing).join(', with ')}.`
  })

function describeCrossing({ compute, lengthMicros, ci95, rangeMicros, rounds }: CrossingResult): string {
  if (rounds.length === 0) return `${compute} from an unknown length (no round has the needed lengths)`
  if (lengthMicros === null) return `${compute} from an unknown length (the rounds do not agree on a length)`
  const name = (length: Length) => {
    if (length === 'below') return `< ${formatMicros(rangeMicros[0])}`
    return length === 'above' ? `> ${formatMicros(rangeMicros[1])}` : formatMicros(length)
  }
  const interval = ci95 ? ` [${ci95.map(name).join(', ')}]` : ''
  if (lengthMicros === 'below') return `${compute} at every length measured${interval}`
  if (lengthMicros === 'above') return `${compute} at no length measured${interval}`
  return `${compute} from ${name(lengthMicros)}${interval}`
}
