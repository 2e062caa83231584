/**
 * The messages between an app and the workers on other machines, over NATS.
 *
 *   app: RemoteTasks                       NATS                          worker: RemoteWorker
 *   one JobMessage per job ─────────────▶ stream, in memory ──pulled──▶ WorkQueue ─▶ TaskThreads
 *   first reply wins       ◀───────────── inbox of the app ◀─────────── ReplyMessage: replies of one turn, then acks
 *   CancelMessage          ─────────────▶ every worker
 *   hello                  ─────────────▶ every worker
 *   capacity, metrics      ◀───────────── every app ◀────────────────── Heartbeat, twice a second
 *
 * Times are durations, because the clocks of two machines differ. All messages are JSON.
 */

import type { FailedReply } from '../job.ts'
import type { TaskLine } from '../task-log.ts'

/** The work-queue stream of all jobs. */
export const STREAM = 'dmt-tasks'

export const subjects = {
  everyJob: 'dmt.jobs.*',
  /** Jobs for workers with this version of the tasks, which alone pull them. */
  jobs: (version: string) => `dmt.jobs.${version}`,
  /** An app that has just connected says this, without content. Workers answer with a heartbeat. */
  hello: 'dmt.hello',
  cancel: 'dmt.cancel',
  heartbeat: 'dmt.workers',
} as const

/** A job. A list is shorter than an object with names. */
export type JobMessage = readonly [
  /** The subject for the reply. */
  replyTo: string,
  /** Unique among the jobs with this subject. */
  id: number,
  /** Milliseconds after which the job is not begun. */
  budgetMs: number,
  /** Whether further jobs wait in the app because all workers are busy. */
  isPressed: boolean,
  requestId: string,
  calls: readonly (readonly [name: string, input: unknown, traceparent: string | undefined])[],
]

/** Replies of a worker to one app. */
export type ReplyMessage = readonly (readonly [id: number, reply: RemoteReply])[]

export type RemoteReply = (
  | { readonly kind: 'done'; readonly runs: readonly RemoteRun[] }
  | FailedReply
  | { readonly kind: 'expired' }
  /** The job was begun, and its thread or its workers died with it. */
  | { readonly kind: 'lost'; readonly timedOut: boolean; readonly why: string }
) & { readonly lines?: readonly TaskLine[] | undefined }

/** A task that has run. */
export interface RemoteRun {
  readonly output: unknown
  /** Milliseconds from the start of the task to its reply. */
  readonly agoMs: number
  readonly runMs: number
}

/** The client of a job has left, or its deadline has passed. */
export type CancelMessage = readonly [replyTo: string, id: number]

/** The state of a worker. */
export interface Heartbeat {
  readonly worker: string
  /** The version of its tasks. */
  readonly tasks: string
  readonly threads: number
  /** Number of jobs that it holds at the same time; 0 if it is stopping. */
  readonly slots: number
  /** Number of jobs that it holds now. */
  readonly held: number
  /** CPU time of all its threads so far. */
  readonly cpuMicros: number
}

/** Workers send a heartbeat at this interval. */
export const HEARTBEAT_MS = 500
/** A worker that was silent for this time is taken for gone. */
export const SILENCE_MS = 3 * HEARTBEAT_MS

const decoder = new TextDecoder()

export const encode = (message: unknown): Uint8Array => Buffer.from(JSON.stringify(message))
export const decode = <Message>(data: Uint8Array): Message => JSON.parse(decoder.decode(data))
