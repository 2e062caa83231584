import type { Latency } from '../../generator/protocol.ts'
import type { MachineUse } from '../../sample/machine.ts'
import { type Cell, formatBytes, formatConcurrency, formatMicros } from './cells.ts'

/**
 * Messages between the load test and the measured process, which is a new one for every sample.
 *
 *   load test ── Order ──▶ process
 *             ◀── Reply ──
 */
export type Order = CellOrder | StartOrder | IdleOrder

/** Measures tasks that run through an implementation of compute. */
export interface CellOrder {
  readonly kind: 'cell'
  readonly cell: Cell
  readonly threads: number
  readonly durationMs: number
  readonly iterationsPerMicro: number
}

/** Names of the things that are started: a bare thread or process, or one of our pools. */
export const startNames = ['thread', 'process', 'pool of threads', 'pool of processes'] as const
export type StartName = (typeof startNames)[number]

export interface StartOrder {
  readonly kind: 'start'
  readonly name: StartName
}

/** Measures how long neighbours wait when no task runs, which is the least possible delay. */
export interface IdleOrder {
  readonly kind: 'idle'
  readonly durationMs: number
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
  /** Growth in memory by each one; null when the system does not tell. */
  readonly memory: { readonly proportionalBytes: number; readonly residentBytes: number } | null
}

export interface IdleReport extends Report {
  readonly neighbourDelayMs: Latency
}

/** The report that answers each kind of order. */
export interface Reports {
  readonly cell: CellReport
  readonly start: StartReport
  readonly idle: IdleReport
}

export type Reply =
  | { readonly kind: 'measured'; readonly report: Reports[Order['kind']] }
  | { readonly kind: 'failed'; readonly message: string }

/** The part of an order that says what is measured. */
type Named = Pick<CellOrder, 'kind' | 'cell'> | StartOrder | Pick<IdleOrder, 'kind'>

export function describeOrder(order: Named): string {
  switch (order.kind) {
    case 'cell':
      return describeCell(order.cell)
    case 'start':
      return `start of a ${order.name}`
    case 'idle':
      return 'neighbours alone, without tasks'
  }
}

const describeCell = ({ compute, lengthMicros, payloadBytes, concurrency }: Cell): string =>
  `${compute}, ${formatMicros(lengthMicros)}, ${formatBytes(payloadBytes)}, ${formatConcurrency(concurrency)}`
