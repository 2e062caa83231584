/**
 * The messages between the main thread and the threads or processes that run tasks.
 *
 *   main thread                                  worker thread, child process
 *   WorkQueue ── TaskMessage ──────────────────▶ execute()
 *             ◀───────────────────── TaskReply ──
 */

import type { Envelope } from '../lib/envelope.ts'
import type { LogFields } from '../lib/log-line.ts'
import type { ProcessUsage } from '../lib/process-usage.ts'
import type { SlotMarks } from '../lib/slot-marks.ts'
import type { TaskLine } from './task-log.ts'

/** A task as it is sent. */
export interface TaskCall {
  readonly name: string
  readonly input: unknown
  readonly envelope: Envelope
}

/** The work of one request that is sent in one piece: tasks, and the answer that is made where they run. */
export interface TaskJob {
  readonly calls: readonly TaskCall[]
  readonly answer?: AnswerCall | undefined
}

/**
 * A request to make an answer, with the input of `beginAnswer`. Its data is copied and not transferred, because it may
 * have to be sent again.
 */
export interface AnswerCall {
  readonly input: unknown
  readonly envelope: Envelope
}

/** A finished answer as it is sent. */
export interface MadeAnswer {
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** Jobs that are run one after the other. */
export interface TaskMessage {
  readonly kind: 'tasks'
  readonly jobs: readonly TaskJob[]
  /** The slot in which the number of started jobs is marked; see `ThreadData`. */
  readonly slot: number
}

/** The outcome of one job, and the log lines of its tasks. */
export type TaskReply = TaskOutcome & { readonly lines?: readonly TaskLine[] | undefined }

type TaskOutcome =
  /** If there is an answer, it contains the outputs of the runs, and they are not sent separately. */
  | { readonly kind: 'done'; readonly runs: readonly TaskRun[]; readonly answer?: MadeAnswer }
  | { readonly kind: 'failed'; readonly message: string; readonly stack: string | undefined }
  /** The upstream data does not match the query. */
  | { readonly kind: 'bad data'; readonly message: string; readonly stack: string | undefined }
  | { readonly kind: 'expired' }

export interface TaskRun {
  readonly output: unknown
  /** The start by the monotonic clock, in milliseconds. */
  readonly startedAtMs: number
  readonly runMs: number
}

/** Messages to a worker thread. */
export type ThreadMessage = TaskMessage | { readonly kind: 'ping' }

/** Messages to a child process. */
export type ProcessMessage = TaskMessage | { readonly kind: 'usage' }

/** Messages from a child process. Replies come in the order of the messages. */
export type ProcessReply =
  | { readonly kind: 'replies'; readonly replies: readonly TaskReply[] }
  | { readonly kind: 'ready' }
  | ({ readonly kind: 'usage' } & ProcessUsage)

/** Files that a worker thread or process imports before it runs jobs. */
export interface TaskFiles {
  /** A file that exports `tasks`. */
  readonly tasksFile: string
  /** A file that exports `beginAnswer`, see {@link BeginAnswer}; undefined when no answers are made there. */
  readonly answersFile?: string | undefined
}

/**
 * Reads the input of an answer.
 * @param input the input of an {@link AnswerCall}
 * @returns a function that makes the answer once the tasks of the job have run
 * @throws when the input does not match the query
 */
export type BeginAnswer = (input: unknown) => FinishAnswer

/** @param outputs the return values of the tasks, in their order */
export type FinishAnswer = (outputs: readonly unknown[], logger: AnswerLogger) => EncodedAnswer

/** Writes log lines in the context of the request. */
export interface AnswerLogger {
  info(message: string, fields?: LogFields): void
}

export interface EncodedAnswer {
  readonly contentType: string
  readonly body: string | Buffer
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
export const processData = ({ tasksFile, answersFile, workerPriority }: TaskPoolOptions): ProcessData => ({
  tasksFile,
  answersFile,
  priority: workerPriority,
})

/** The data that a worker thread gets when it starts. */
export interface ThreadData extends ProcessData {
  /**
   * Marks how many jobs of the message in each slot were started. When a thread dies, this shows which job died with it
   * and which jobs another thread may run.
   */
  readonly started: SlotMarks
  /** Marks the id of the thread that has the message of each slot. */
  readonly runners: SlotMarks
}
