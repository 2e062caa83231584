/**
 * What crosses between the main thread and where tasks run.
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

/**
 * An answer to be made, as it travels: whatever `beginAnswer` takes. Its data is copied and not transferred, because it
 * may have to travel again.
 */
export interface AnswerCall {
  readonly input: unknown
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

/** Files that a worker thread or process imports before it runs jobs. */
export interface TaskFiles {
  /** Exports `tasks`. */
  readonly tasksFile: string
  /** Exports `beginAnswer`, see {@link BeginAnswer}; undefined when no answers are made there. */
  readonly answersFile?: string | undefined
}

/**
 * Reads what an answer is made of.
 * @param input the input of an {@link AnswerCall}
 * @returns a function that makes the answer once the tasks of the job have run
 * @throws when the input is not what was asked for
 */
export type BeginAnswer = (input: unknown) => FinishAnswer

/** @param outputs what the tasks returned, in their order */
export type FinishAnswer = (outputs: readonly unknown[], logger: AnswerLogger) => EncodedAnswer

/** Writes log lines in the context of the request. */
export interface AnswerLogger {
  info(message: string, fields?: LogFields): void
}

export interface EncodedAnswer {
  readonly contentType: string
  readonly body: string | Buffer
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

/** The part of a pool's options that travels to its threads or processes. */
export const processData = ({ tasksFile, answersFile, workerPriority }: TaskPoolOptions): ProcessData => ({
  tasksFile,
  answersFile,
  priority: workerPriority,
})

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
