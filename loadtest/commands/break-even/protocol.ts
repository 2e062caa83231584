import type { Latency } from '../../generator/protocol.ts'
import type { MachineUse } from '../../sample/machine.ts'
import { type Cell, formatBytes, formatConcurrency, formatMicros } from './cells.ts'

/**
 * Messages between the load test and the measured process, which is a new one for every sample.
 *
 *   load test ── Order ──▶ process
 *             ◀── Reply ──
 */
export type Order = CellOrder | StartOrder

export interface CellOrder {
  readonly kind: 'cell'
  readonly cell: Cell
  readonly threads: number
  readonly durationMs: number
  readonly iterationsPerMicro: number
}

/** A bare thread or process, or one of our pools. */
export const startNames = ['thread', 'process', 'pool of threads', 'pool of processes'] as const
export type StartName = (typeof startNames)[number]

export interface StartOrder {
  readonly kind: 'start'
  readonly name: StartName
}

export interface Report {
  /** Use of the machine by others meanwhile; null when the system does not tell. */
  readonly machine: MachineUse | null
}

export interface CellReport extends Report {
  readonly tasks: number
  /** CPU microseconds of the main thread a task. */
  readonly mainThreadMicros: number
  /** Time from the moment when a client wants an answer until it has the answer. */
  readonly latencyMs: Latency
  /** Time from the moment when a message arrived until the main thread handled it. */
  readonly neighbourDelayMs: Latency
}

export interface StartReport extends Report {
  /** Time from the call to the first answer, for each one that was started. */
  readonly startMs: readonly number[]
  /** By each one; null when the system does not tell. */
  readonly memory: { readonly proportionalBytes: number; readonly residentBytes: number } | null
}

export type Reply =
  | { readonly kind: 'measured'; readonly report: CellReport | StartReport }
  | { readonly kind: 'failed'; readonly message: string }

export function describeOrder(order: Pick<CellOrder, 'kind' | 'cell'> | StartOrder): string {
  if (order.kind === 'start') return `start of a ${order.name}`
  const { compute, lengthMicros, payloadBytes, concurrency } = order.cell
  return `${compute}, ${formatMicros(lengthMicros)}, ${formatBytes(payloadBytes)}, ${formatConcurrency(concurrency)}`
}
