/**
 * The messages between the main thread and the threads or processes that run tasks.
 *
 *   main thread                                  worker thread, child process
 *   WorkQueue ── jobs ─────────────────────────▶ JobRun: begins an answer, runs tasks in turn
 *             ◀──────────────────── TaskReply[] ──
 *             ◀── TaskReply, if it is late ──────   thread only: what an answer awaits may come after the tasks
 */

import type { ProcessUsage } from '../lib/os/usage.ts'
import type { SlotMarks } from '../lib/threads/thread-setup.ts'
import type { AnswersFile, TaskJob, TaskPoolOptions, TaskReply } from './job.ts'

/** Messages to a worker thread. */
export type ThreadMessage =
  | JobsMessage
  /** From now on the thread makes answers with this file. */
  | ({ readonly kind: 'answers' } & AnswersFile)
  /** The client of the job has left, so what the job fetches is not needed any more. */
  | { readonly kind: 'cancel'; readonly id: number }

/** Jobs for a worker thread, with successive ids. What travels is a list, which costs less to copy than an object with names. */
export type JobsMessage = readonly [slot: number, firstId: number, jobs: readonly PackedJob[]]

/** A job as a message to a thread contains it: a list if it is an answer, which has no name, or one task. */
export type PackedJob = TaskJob | PackedCall
export type PackedCall = readonly [
  requestId: string,
  traceparent: string | undefined,
  deadline: number,
  input: unknown,
  name: string | undefined,
]

/** A reply as a message from a thread contains it: a list if it is an answer, or the output and the times of one task. */
export type PackedReply = TaskReply | readonly unknown[]

/** Messages from a worker thread. */
export type ThreadReply =
  /** With the names of the tasks. */
  | { readonly kind: 'ready'; readonly osThreadId: number | undefined; readonly tasks: readonly string[] }
  /** The file of answers is loaded. */
  | { readonly kind: 'answers' }
  | RepliesMessage
  /** Replies of jobs whose message was answered without them, or is not answered yet. */
  | { readonly kind: 'late'; readonly replies: readonly (readonly [id: number, PackedReply])[] }

/**
 * The tasks of the message in this slot have run. The reply of a job that still waits for what it fetches is undefined,
 * and comes late. That of a job whose reply was sent before is null.
 */
export type RepliesMessage = readonly [slot: number, replies: readonly (PackedReply | undefined | null)[]]

/** Messages to a child process. Jobs are run one after the other. */
export type ProcessMessage =
  | { readonly kind: 'tasks'; readonly jobs: readonly TaskJob[] }
  | { readonly kind: 'usage' }

/** Messages from a child process. Replies come in the order of the messages. */
export type ProcessReply =
  | { readonly kind: 'replies'; readonly replies: readonly TaskReply[] }
  | { readonly kind: 'ready' }
  | ({ readonly kind: 'usage' } & ProcessUsage)

/** The data that a child process gets when it starts, as JSON. */
export interface ProcessData {
  readonly tasksFile: string
  /** Nice value, see `lowerPriority`. */
  readonly priority: number
}

/** The part of the options of a pool that its threads or processes get. */
export const processData = ({ tasksFile, workerPriority }: TaskPoolOptions): ProcessData => ({
  tasksFile,
  priority: workerPriority,
})

/** What all threads of a pool get when they start. */
export interface ThreadOptions extends ProcessData {
  /** The file of answers, if one was given before the thread started. */
  readonly answers?: AnswersFile | undefined
  /** Number of asynchronous tasks that run beside each other. */
  readonly concurrentTasks: number
  readonly taskTimeoutMs: number
  /** Whether a task that is done may run again because its reply was lost with its thread. */
  readonly idempotent: boolean
}

/** The data that a worker thread gets when it starts. */
export interface ThreadData extends ThreadOptions {
  /**
   * Marks which job of the message in each slot is running, from 1. While none is, the number of those that have run is marked,
   * as a negative number. When a thread dies, this shows which job died with it and which jobs another thread may run.
   */
  readonly started: SlotMarks
  /** A bit for each job of the message in each slot: the main thread sets it when nobody wants the job any more. */
  readonly unwanted: SlotMarks
  /** A number that changes while asynchronous tasks run beside each other and none of them blocks the thread. */
  readonly beats: SlotMarks
}
