/**
 * What crosses between the main thread and where tasks run.
 *
 *   main thread                                  worker thread, child process
 *   WorkQueue ── TaskMessage ──────────────────▶ execute()
 *             ◀───────────────────── TaskReply ──
 */

import type { ProcessUsage } from '../lib/process-usage.ts'
import type { TaskLine } from './task-log.ts'

/** What every task and page part carries of its request; AsyncLocalStorage does not cross threads. */
export interface Envelope {
  readonly requestId: string
  /** W3C trace context of the span that the work belongs to. */
  readonly traceparent: string | undefined
  /** Milliseconds since the epoch. Past it the work is not started. */
  readonly deadline: number
}

/** A task as it travels. */
export interface TaskCall {
  readonly name: string
  readonly input: unknown
  readonly envelope: Envelope
}

/** The tasks that one request gave together: one job. */
export type TaskCalls = readonly TaskCall[]

/** Jobs that are run one after the other. */
export interface TaskMessage {
  readonly kind: 'tasks'
  readonly jobs: readonly TaskCalls[]
  /** Where to mark which job was started; see `StartMarks`. */
  readonly slot: number
}

/** What became of one job, and what its tasks logged. */
export type TaskReply = TaskOutcome & { readonly lines?: readonly TaskLine[] | undefined }

type TaskOutcome =
  | { readonly kind: 'done'; readonly runs: readonly TaskRun[] }
  | { readonly kind: 'failed'; readonly message: string; readonly stack: string | undefined }
  | { readonly kind: 'expired' }

export interface TaskRun {
  readonly output: unknown
  /** By the monotonic clock. */
  readonly startedAtMs: number
  readonly runMs: number
}

/** What a worker thread is asked besides tasks. */
export type ThreadMessage = TaskMessage | { readonly kind: 'ping' }

/** What a child process is told. */
export type ProcessMessage = TaskMessage | { readonly kind: 'usage' }

/** What a child process tells. Replies come in the order of the messages. */
export type ProcessReply =
  | { readonly kind: 'replies'; readonly replies: readonly TaskReply[] }
  | { readonly kind: 'ready' }
  | ({ readonly kind: 'usage' } & ProcessUsage)

/** What a worker thread is given when it starts. */
export interface ThreadData {
  readonly tasksFile: string
  readonly started: StartMarks
  /** Nice value, see `lowerPriority`. */
  readonly priority: number
}

/**
 * Shared memory, an element a slot: how many jobs of the slot's message were started. When a thread dies, it tells the
 * job that died with it from those that another thread may run.
 */
export type StartMarks = Int32Array<SharedArrayBuffer>
