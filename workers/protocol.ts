/**
 * The messages between the main thread and the threads or processes that run tasks.
 *
 *   main thread                                  worker thread, child process
 *   WorkQueue ── TaskMessage ──────────────────▶ JobRun: begin the answer, run the tasks, finish the answer
 *             ◀──────────────────── TaskReply[] ──
 *             ◀── TaskReply, if it is late ──────   thread only: what a job fetches may come after its tasks
 */

import type { ProcessUsage } from '../lib/os/process-usage.ts'
import type { CallHeaders, CallTimes } from '../lib/telemetry/call-times.ts'
import type { FormattedLines } from '../lib/telemetry/logger.ts'
import type { Envelope } from '../lib/threads/envelope.ts'
import type { SlotMarks } from '../lib/threads/slot-marks.ts'
import type { Thrown } from '../lib/threads/thrown.ts'
import type { TaskLine } from './task-log.ts'

/** A task as it is sent. */
export interface TaskCall {
  readonly name: string
  readonly input: unknown
  readonly envelope: Envelope
}

/** The work of one request that is sent in one piece: tasks, or an answer that is made where its tasks run. */
export interface TaskJob {
  readonly calls?: readonly TaskCall[]
  readonly answer?: AnswerCall
}

/**
 * A request to make an answer, with the input of `AnswerMaker.begin`. Its data is copied and not transferred, because it
 * may have to be sent again.
 */
export interface AnswerCall {
  readonly input: unknown
  /** The headers that a call upstream for this answer passes on. */
  readonly headers?: CallHeaders | undefined
  readonly envelope: Envelope
}

/** The body of an answer, with its type. */
export interface Encoded {
  readonly contentType: string
  readonly body: string | Buffer
}

/** The upstream call of an answer, and the log lines that were formatted where it was made. */
export interface AnswerReport {
  readonly times: CallTimes
  readonly lines: FormattedLines
}

/** Jobs that are run one after the other. */
export interface TaskMessage {
  readonly kind: 'tasks'
  readonly jobs: readonly TaskJob[]
  /** The slot in which the number of started jobs is marked; see `ThreadData`. */
  readonly slot: number
}

/** The outcome of one job, the log lines of its tasks, and the report of its answer. */
export type TaskReply = TaskOutcome & {
  readonly lines?: readonly TaskLine[] | undefined
  readonly report?: AnswerReport | undefined
}

/** A finished answer. Bytes have memory of their own. */
type SentAnswer = Omit<Encoded, 'body'> & { readonly body: string | Uint8Array }

type TaskOutcome =
  /** If there is an answer, it contains the outputs of the runs, and they are not sent separately. */
  | { readonly kind: 'done'; readonly runs: readonly TaskRun[]; readonly answer?: SentAnswer }
  | FailedReply
  /** There is no answer, for a reason that the app knows by this code; see `CodedError`. */
  | { readonly kind: 'refused'; readonly code: string; readonly cause: string | undefined }
  | { readonly kind: 'expired' }

/** The reply to a job whose task failed, with the error of that task. */
export interface FailedReply extends Thrown {
  readonly kind: 'failed'
}

export interface TaskRun {
  readonly output: unknown
  /** The start by the monotonic clock, in milliseconds. */
  readonly startedAtMs: number
  readonly runMs: number
}

/** Messages to a worker thread. */
export type ThreadMessage =
  | JobsMessage
  /** The client of the job has left, so what the job fetches is not needed any more. */
  | { readonly kind: 'cancel'; readonly id: number }

/** Jobs for a worker thread, which have successive ids from `firstId` on. */
export interface JobsMessage extends Omit<TaskMessage, 'jobs'> {
  readonly jobs: readonly PackedJob[]
  readonly firstId: number
}

/**
 * A value that costs a message little. Structured clone writes the name of every property of every object, and the main
 * thread would have to read it, so an answer is sent and comes back as one list of plain values.
 */
export type Plain = string | number | boolean | undefined

/** A job as a message to a thread contains it: a list if the job is an answer whose input is a list. */
export type PackedJob = TaskJob | readonly Plain[]

/** A reply as a message from a thread contains it: a list if it is an answer with a report. */
export type PackedReply = TaskReply | readonly Plain[]

/** Messages from a worker thread. */
export type ThreadReply =
  | { readonly kind: 'ready' }
  /**
   * The tasks of the message in this slot have run. The reply of a job that still waits for what it fetches is
   * undefined, and comes late.
   */
  | {
      readonly kind: 'replies'
      readonly slot: number
      readonly replies: readonly (PackedReply | undefined)[]
    }
  | { readonly kind: 'late'; readonly replies: readonly (readonly [id: number, PackedReply])[] }

/** Messages to a child process. */
export type ProcessMessage = TaskMessage | { readonly kind: 'usage' }

/** Messages from a child process. Replies come in the order of the messages. */
export type ProcessReply =
  | { readonly kind: 'replies'; readonly replies: readonly TaskReply[] }
  | { readonly kind: 'ready' }
  | ({ readonly kind: 'usage' } & ProcessUsage)

/** Files that a worker thread or process imports before it runs jobs. */
export interface TaskFiles {
  /** A file that exports functions, or an object of functions as `tasks`. */
  readonly tasksFile: string
  /** A file with the exports of an `AnswersModule`; undefined when no answers are made there. */
  readonly answersFile?: string | undefined
  /** The argument of its `createMaker`. */
  readonly answersData?: unknown
}

/** The options of a pool of threads or processes. */
export interface TaskPoolOptions extends TaskFiles {
  /** Number of threads or processes. */
  readonly threads: number
  /** Nice value of the threads or processes, 0 to 19. Threads have their own nice value only on Linux. */
  readonly workerPriority: number
  /**
   * The time limit of the tasks of a request from their start, in milliseconds. After it their thread or process is
   * replaced.
   */
  readonly taskTimeoutMs: number
  /** The limit of the heap of a thread or process, in MiB. One that exceeds it is replaced. */
  readonly workerMemoryMib: number
}

/** The data that a child process gets when it starts, as JSON. */
export interface ProcessData extends TaskFiles {
  /** Nice value, see `lowerPriority`. */
  readonly priority: number
}

/** The part of the options of a pool that its threads or processes get. */
export const processData = ({ workerPriority, ...options }: TaskPoolOptions): ProcessData => ({
  tasksFile: options.tasksFile,
  answersFile: options.answersFile,
  answersData: options.answersData,
  priority: workerPriority,
})

/** The data that a worker thread gets when it starts. */
export interface ThreadData extends ProcessData {
  /**
   * Marks which job of the message in each slot is running, from 1; 0 while none is. When a thread dies, this shows
   * which job died with it and which jobs another thread may run.
   */
  readonly started: SlotMarks
}
