import { type End, JobFailed, type Requester } from '../../lib/main-thread/job.ts'
import type { WorkQueue } from '../../lib/main-thread/work-queue.ts'
import {
  type FormattedLines,
  REPORT_LENGTH,
  type Report,
  type ThreadCall,
  unpackReport,
} from '../../lib/telemetry/thread-calls.ts'
import type { Envelope } from '../../lib/threads/envelope.ts'
import { type AnswersFile, type Plain, RESULT_LENGTH, type TaskJob, type TaskReply } from '../job.ts'
import type { TaskThreads } from './task-threads.ts'

/** Threads that make whole answers, beside the tasks that they run: what they await holds up no task. */
export interface AnsweringThreads {
  /** Says how answers are made. @throws the error of a thread that cannot load the file */
  load(answers: AnswersFile): Promise<void>
  /**
   * Asks for an answer, and records its call and its tasks.
   * @param settle is called once, outside of the asynchronous context of the request; it must not throw
   */
  ask<Failure extends Error>(
    asked: AskedAnswer,
    recorder: AnswerRecorder<Failure>,
    settle: (answer: readonly Plain[] | Failure) => void,
  ): void
}

export interface AskedAnswer {
  readonly client: Requester & Pick<Envelope, 'requestId' | 'traceparent'>
  readonly call: ThreadCall
  /** The spans of the tasks. */
  readonly spans: readonly unknown[]
  readonly input: readonly Plain[]
}

/** Takes what comes with an answer. */
export interface AnswerRecorder<Failure extends Error> {
  takeLines(lines: FormattedLines): void
  /** Writes the log lines of tasks, and those that the thread has not formatted. */
  writeLines(reply: TaskReply, client: AskedAnswer['client']): void
  endTask(span: unknown, times: { readonly waitMs: number; readonly runMs: number }): void
  failTask(span: unknown, failure: Failure): void
  /** The reason why there is no answer. */
  failureOf(end: JobFailed | Exclude<TaskReply, { readonly kind: 'done' }>): Failure
}

export const answeringThreads = (
  threads: TaskThreads,
  queue: WorkQueue<TaskJob, TaskReply>,
): AnsweringThreads => ({
  load: answers => threads.loadAnswers(answers),
  ask(asked, recorder, settle) {
    const { client, input } = asked
    const { requestId, traceparent, deadline } = client
    const job = { answer: { input, envelope: { requestId, traceparent, deadline } } }
    // To cancel a job that is done has no effect, so the listener may stay.
    client.onGone(() => threads.cancel(job))
    queue.enqueue(client, job, end => settle(conclude(end, asked, recorder)))
  },
})

function conclude<Failure extends Error>(
  end: End<TaskReply>,
  asked: AskedAnswer,
  recorder: AnswerRecorder<Failure>,
): readonly Plain[] | Failure {
  if (end instanceof JobFailed) {
    asked.call.drop()
    return fail(recorder.failureOf(end), asked, recorder)
  }
  const { reply, askedAtMs } = end
  if (reply.lines) recorder.writeLines(reply, asked.client)
  if (reply.kind !== 'done') {
    if (reply.report) takeReport(unpackReport(reply.report), asked, recorder)
    else asked.call.drop()
    return fail(recorder.failureOf(reply), asked, recorder)
  }
  const answer = reply.answer as readonly Plain[]
  takeReport(unpackReport(answer, RESULT_LENGTH), asked, recorder)
  let at = RESULT_LENGTH + REPORT_LENGTH
  for (const span of asked.spans) {
    recorder.endTask(span, { waitMs: (answer[at] as number) - askedAtMs, runMs: answer[at + 1] as number })
    at += 2
  }
  return answer
}

function fail<Failure extends Error>(
  failure: Failure,
  { spans }: AskedAnswer,
  recorder: AnswerRecorder<Failure>,
): Failure {
  for (const span of spans) recorder.failTask(span, failure)
  return failure
}

function takeReport(
  { call, lines }: Report,
  asked: AskedAnswer,
  recorder: Pick<AnswerRecorder<Error>, 'takeLines'>,
) {
  asked.call.end(call)
  if (lines.count > 0) recorder.takeLines(lines)
}
