/**
 * What crosses between the main thread and where tasks run.
 *
 *   main thread                                  worker thread, child process
 *   WorkQueue ── TaskMessage ──────────────────▶ execute()
 *             ◀───────────────────── TaskReply ──
 */

import type { AnswerInput } from '../app/serialization/contract.ts'
import type { ProcessUsage } from '../lib/process-usage.ts'
import type { TaskLine } from './task-log.ts'

/** What every task and page part carries of its request; AsyncLocalStorage does not cross threads. */
export interface Envelope {
  readonly requestId: string
  /** W3C trace context of the span that the work belongs to. */
  readonly traceparent: string | undefined
  /** By the monotonic clock in milliseconds, which all threads and processes share. Past it the work is not started. */
  readonly deadline: number
}

/** A task as it travels. */
export interface TaskCall {
  readonly name: string
  readonly input: unknown
  readonly envelope: Envelope
}

/** What one request gave together: tasks, and the answer that is to be made where they run. */
export interface TaskJob {
  readonly calls: readonly TaskCall[]
  readonly answer?: AnswerCall | undefined
}

/** An answer to be made, as it travels. Its data is copied and not transferred: it may have to travel again. */
export interface AnswerCall {
  readonly input: AnswerInput
  readonly envelope: Envelope
}

/** An answer that was made, as it travels. */
export interface MadeAnswer {
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** Jobs that are run one after the other. */
export interface TaskMessage {
  readonly kind: 'tasks'
  readonly jobs: readonly TaskJob[]
  /** Where to mark which job was started; see `ThreadData`. */
  readonly slot: number
}

/** What became of one job, and what its tasks logged. */
export type TaskReply = TaskOutcome & { readonly lines?: readonly TaskLine[] | undefined }

type TaskOutcome =
  /** With an answer, the outputs of the runs are in it, and nowhere else. */
  | { readonly kind: 'done'; readonly runs: readonly TaskRun[]; readonly answer?: MadeAnswer }
  | { readonly kind: 'failed'; readonly message: string; readonly stack: string | undefined }
  /** What the answer is to be made of is not what upstream was asked for. */
  | { readonly kind: 'bad data'; readonly message: string; readonly stack: string | undefined }
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

/** What whatever runs jobs has to load. */
export interface TaskFiles {
  /** Exports `tasks`. */
  readonly tasksFile: string
  /** Exports `createSerialization`, for the answers; undefined when none are made there. */
  readonly codecFile?: string | undefined
}

/** What a pool of threads or processes is made of. */
export interface TaskPoolOptions extends TaskFiles {
  /** How many threads or processes. */
  readonly threads: number
  /** Their nice value, 0 to 19; threads have one of their own only on Linux. */
  readonly workerPriority: number
  /** How long the tasks of a request may take, from their start; what runs them is replaced then. */
  readonly taskTimeoutMs: number
  /** How large the heap of what runs tasks may become; it is replaced then. */
  readonly workerMemoryMib: number
}

/** What a child process is given when it starts, as JSON. */
export interface ProcessData extends TaskFiles {
  /** Nice value, see `lowerPriority`. */
  readonly priority: number
}

/** What a worker thread is given when it starts. */
export interface ThreadData extends ProcessData {
  /**
   * Where to mark how many jobs of a slot's message were started. When a thread dies, it tells the job that died with it
   * from those that another thread may run.
   */
  readonly started: SlotMarks
  /** Where to mark which thread a slot's message is with, by its id. */
  readonly runners: SlotMarks
}

/** Shared memory, an element a slot: what the main thread may know at any time, and costs no message. */
export type SlotMarks = Int32Array<SharedArrayBuffer>
