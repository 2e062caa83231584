import { type JobEnd, JobFailed } from '../../lib/main-thread/job.ts'
import type { WorkQueue } from '../../lib/main-thread/work-queue.ts'
import { REPORT_LENGTH, type Report, unpackReport } from '../../lib/telemetry/thread-calls.ts'
import type { Envelope, WaitingClient } from '../../lib/threads/envelope.ts'
import {
  type AnswersFile,
  type MadeAnswer,
  type Plain,
  RESULT_LENGTH,
  type TaskJob,
  type TaskReply,
  unpackAnswer,
} from '../job.ts'
import type { TaskThreads } from './task-threads.ts'

/** Threads that make whole answers, beside the tasks that they run: what they await holds up no task. */
export interface AnsweringThreads {
  /** Says how answers are made. @throws the error of a thread that cannot load the file */
  load(answers: AnswersFile): Promise<void>
  /** Asks for an answer. The promise never rejects. */
  ask(client: WaitingClient & Pick<Envelope, 'requestId' | 'traceparent'>, input: unknown): Promise<AnswerEnd>
}

/** The end of an answer: the answer, with the times of its tasks, or why there is none. */
export type AnswerEnd = Pick<TaskReply, 'lines'> & {
  /** Undefined if nobody knows how the call has ended. */
  readonly report?: Report | undefined
} & (
    | { readonly answer: MadeAnswer & { readonly body: string | Buffer }; readonly times: readonly Times[] }
    | {
        readonly answer?: undefined
        readonly failure: JobFailed | Exclude<TaskReply, { readonly kind: 'done' }>
      }
  )

interface Times {
  readonly waitMs: number
  readonly runMs: number
}

export const answeringThreads = (
  threads: TaskThreads,
  queue: WorkQueue<TaskJob, TaskReply>,
): AnsweringThreads => ({
  load: answers => threads.loadAnswers(answers),
  ask(client, input) {
    const { requestId, traceparent, deadline } = client
    const job = { answer: { input, envelope: { requestId, traceparent, deadline } } }
    // To cancel a job that is done has no effect, so the listener may stay.
    client.onGone(() => threads.cancel(job))
    return new Promise(resolve => queue.enqueue(client, job, end => resolve(unpackEnd(end))))
  },
})

function unpackEnd(end: JobEnd<TaskReply>): AnswerEnd {
  if (end instanceof JobFailed) return { failure: end }
  const { reply, askedAtMs } = end
  const { lines } = reply
  if (reply.kind !== 'done')
    return { failure: reply, lines, report: reply.report && unpackReport(reply.report) }
  const packed = reply.answer as readonly Plain[]
  const times: Times[] = []
  for (let at = RESULT_LENGTH + REPORT_LENGTH; at < packed.length; at += 2)
    times.push({ waitMs: (packed[at] as number) - askedAtMs, runMs: packed[at + 1] as number })
  return { answer: unpackAnswer(packed), times, lines, report: unpackReport(packed, RESULT_LENGTH) }
}
