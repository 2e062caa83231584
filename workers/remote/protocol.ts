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

import { JobFailed, type MessageEnd } from '../../lib/main-thread/job.ts'
import { monotonicMs } from '../../lib/units.ts'
import type { FailedReply, TaskJob, TaskReply } from '../job.ts'
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

/** A job as it is sent to another machine. @param isPressed whether further jobs wait */
export function messageFor(replyTo: string, id: number, job: TaskJob, isPressed: boolean): JobMessage {
  const { calls = [] } = job
  const { requestId = '', deadline = 0 } = calls[0]?.envelope ?? {}
  return [
    replyTo,
    id,
    deadline - monotonicMs(),
    isPressed,
    requestId,
    calls.map(({ name, input, envelope }) => [name, input, envelope.traceparent]),
  ]
}

/** A reply of a thread, with durations in place of the times of this machine. */
export function doneReply(reply: TaskReply): RemoteReply {
  const { lines } = reply
  if (reply.kind === 'failed') return { ...reply, lines }
  if (reply.kind !== 'done') return { kind: 'expired', lines }
  const nowMs = monotonicMs()
  const runs = reply.runs.map(({ output, startedAtMs, runMs }) => ({
    output,
    runMs,
    agoMs: nowMs - startedAtMs,
  }))
  return { kind: 'done', runs, lines }
}

/** The reply to a job that the queue has given up, or whose thread has died. */
export function failedReply(error: unknown): RemoteReply {
  if (!(error instanceof JobFailed)) throw error
  const { failure, message: why } = error
  return ['died', 'timed out', 'not sent'].includes(failure)
    ? { kind: 'lost', timedOut: failure === 'timed out', why }
    : { kind: 'expired' }
}

/** A reply of another machine, with the times of its tasks by the clock of this one. */
export function outcomeOf(reply: RemoteReply, nowMs: number): MessageEnd<TaskReply> {
  if (reply.kind === 'lost') return { kind: 'lost', started: 1, timedOut: reply.timedOut, why: reply.why }
  if (reply.kind !== 'done') return { kind: 'replies', replies: [reply] }
  const runs = reply.runs.map(({ output, agoMs, runMs }) => ({ output, startedAtMs: nowMs - agoMs, runMs }))
  return { kind: 'replies', replies: [{ ...reply, runs }] }
}

const decoder = new TextDecoder()

export const encode = (message: unknown): Uint8Array => Buffer.from(JSON.stringify(message))
export const decode = <Message>(data: Uint8Array): Message => JSON.parse(decoder.decode(data))
