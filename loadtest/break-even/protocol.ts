import type { Latency } from '../generator/protocol.ts'
import type { MachineUse } from '../sample/machine.ts'
import type { Cell } from './cells.ts'

/**
 * What crosses between the load test and the process that it measures, which is a new one for every sample.
 *
 *   load test ── Order ──▶ process
 *             ◀── Reply ──
 */
export type Order = CellOrder | StartOrder | HopOrder | IdleOrder

/** Tasks through an implementation of compute. */
export interface CellOrder {
  readonly kind: 'cell'
  readonly cell: Cell
  readonly threads: number
  readonly durationMs: number
  readonly iterationsPerMicro: number
}

/** What is started: bare, or a pool of one of ours. */
export const startNames = ['thread', 'process', 'pool of threads', 'pool of processes'] as const
export type StartName = (typeof startNames)[number]

export interface StartOrder {
  readonly kind: 'start'
  readonly name: StartName
}

/** Messages to a bare thread or process and back. */
export interface HopOrder {
  readonly kind: 'hop'
  readonly hop: Hop
  readonly durationMs: number
}

/** A way across, and what crosses. */
export interface Hop {
  readonly channel: Channel
  readonly form: Form
  readonly payloadBytes: number
}

/** `postMessage`, or IPC with either of the serializations that `fork` offers; ours is JSON. */
export type Channel = 'thread' | 'process, json' | 'process, advanced'
export type Form = 'string' | 'records' | 'bytes' | 'bytes, transferred'

/** How long neighbours wait where nothing else is done: the floor of their delay. */
export interface IdleOrder {
  readonly kind: 'idle'
  readonly durationMs: number
}

interface Report {
  /** What else the machine did meanwhile; null where that cannot be read. */
  readonly machine: MachineUse | null
}

export interface CellReport extends Report {
  readonly tasks: number
  /** A task. */
  readonly mainThreadMicros: number
  /** Of all threads and of the processes that compute started; a task. */
  readonly totalMicros: number
  readonly mainThreadUtilization: number
  readonly tasksPerSecond: number
  /** What a task took from its start to its end, wherever it ran: its length, and what disturbed it. */
  readonly runMs: Latency
  /** From the moment a client wants an answer until it has it. */
  readonly latencyMs: Latency
  /** From the moment something came for the main thread until the main thread turned to it. */
  readonly neighbourDelayMs: Latency
}

export interface StartReport extends Report {
  /** From the call until it has answered, of each of those started one after the other. */
  readonly startMs: readonly number[]
  /** Growth by each; null where the system does not tell. */
  readonly memory: { readonly proportionalBytes: number; readonly residentBytes: number } | null
}

export interface HopReport extends Report {
  readonly roundTripsPerSecond: number
  /** A round trip. */
  readonly mainThreadMicros: number
}

export interface IdleReport extends Report {
  readonly neighbourDelayMs: Latency
}

/** What answers an order. */
export interface Reports {
  readonly cell: CellReport
  readonly start: StartReport
  readonly hop: HopReport
  readonly idle: IdleReport
}

export type Reply =
  | { readonly kind: 'measured'; readonly report: Reports[Order['kind']] }
  | { readonly kind: 'failed'; readonly message: string }
