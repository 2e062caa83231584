/** The jobs of a pool, wherever they run. */

import type { CallHeaders, CallTimes } from '../lib/telemetry/call-times.ts'
import type { FormattedLines } from '../lib/telemetry/logger.ts'
import type { Envelope } from '../lib/threads/envelope.ts'
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

/**
 * A value that costs a message little. Structured clone writes the name of every property of every object, and the main
 * thread would have to read it, so an answer is sent and comes back as one list of plain values.
 */
export type Plain = string | number | boolean | undefined

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
