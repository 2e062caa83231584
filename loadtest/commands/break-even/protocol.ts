import type { Implementation } from '../../../app/concerns.ts'
import type { Latency } from '../../generator/protocol.ts'
import type { MachineUse } from '../../sample/machine.ts'

export const gridComputes = ['inline', 'threads', 'processes'] as const satisfies Implementation<'compute'>[]

/** One point of the grid: tasks of one kind, run by one implementation of compute. */
export interface Cell {
  readonly compute: (typeof gridComputes)[number]
  /** CPU time of an undisturbed task. */
  readonly lengthMicros: number
  /** Size of the payload that is sent with a task, and comes back with its answer. */
  readonly payloadBytes: number
  /** Number of clients; each asks again once it is answered. */
  readonly concurrency: number
}

/**
 * Messages between the load test and the measured process, which is a new one for every sample.
 *
 *   load test ── Order ──▶ process
 *             ◀── Reply ──
 */
export interface Order {
  readonly cell: Cell
  readonly threads: number
  readonly durationMs: number
  readonly iterationsPerMicro: number
}

export interface Report {
  readonly tasks: number
  /** CPU microseconds of the main thread a task. */
  readonly mainThreadMicros: number
  /** Time from the moment when a client wants an answer until it has the answer. */
  readonly latencyMs: Latency
  /** Use of the machine by others meanwhile; null when the system does not tell. */
  readonly machine: MachineUse | null
}

export type Reply =
  | { readonly kind: 'measured'; readonly report: Report }
  | { readonly kind: 'failed'; readonly message: string }
