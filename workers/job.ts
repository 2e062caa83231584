/** The jobs of a pool, wherever they run. */

import type { Transferable } from 'node:worker_threads'
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
  /** What the input gives away instead of a copy. Such a job cannot be sent twice. */
  readonly transferList?: readonly Transferable[] | undefined
  /** Whether it travels alone, because its thread may be ended to end it, or its input is given away. */
  readonly isAlone?: boolean
}

/** A request to make an answer. It may have to be sent again. */
export interface AnswerCall {
  readonly input: unknown
  readonly envelope: Envelope
}

/** The outcome of one job, the log lines of its tasks, and what an answer says beside an error. */
export type TaskReply = TaskOutcome & {
  readonly lines?: readonly TaskLine[] | undefined
  readonly report?: readonly Plain[] | undefined
}

/** What became of the tasks or the answer of a job. */
export type TaskOutcome =
  | { readonly kind: 'done'; readonly runs: readonly TaskRun[]; readonly answer?: readonly Plain[] }
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
 * thread would have to read it, so an answer comes back as one list of plain values.
 */
export type Plain = string | number | boolean | Uint8Array | undefined

/** A complete body, with its type. */
export interface MadeAnswer {
  readonly contentType: string
  readonly body: string | Uint8Array
}

/** A file with the exports of an `AnswersModule`, and the argument of its `createAnswer`. */
export interface AnswersFile {
  readonly file: string
  readonly data: unknown
}

/** An answer in plain values: type and body, the report, and the start and the duration of each task. */
export const RESULT_LENGTH = 2

export const packAnswer = (
  { contentType, body }: MadeAnswer,
  report: readonly Plain[],
  runs: readonly TaskRun[],
): Plain[] => [
  contentType,
  // A Buffer may be a small part of a larger pool, and all of the pool would be sent.
  typeof body === 'string' ? body : new Uint8Array(body),
  ...report,
  ...runs.flatMap(({ startedAtMs, runMs }) => [startedAtMs, runMs]),
]

export function unpackAnswer([contentType, sent]: readonly Plain[]) {
  const body = typeof sent === 'string' ? sent : Buffer.from((sent as Uint8Array).buffer as ArrayBuffer)
  return { contentType: contentType as string, body }
}

/** The options of a pool of threads or processes. */
export interface TaskPoolOptions {
  /** A file that exports functions, or an object of functions as `tasks`. */
  readonly tasksFile: string
  /** Number of threads or processes. */
  readonly threads: number
  /** Nice value of the threads or processes, 0 to 19. Threads have their own nice value only on Linux. */
  readonly workerPriority: number
  /** The time limit of the tasks of a request, in milliseconds. After it their thread or process is replaced. */
  readonly taskTimeoutMs: number
  /** The limit of the heap of a thread or process, in MiB. One that exceeds it is replaced. */
  readonly workerMemoryMib: number
}
