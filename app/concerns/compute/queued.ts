import { JobFailed } from '../../../lib/main-thread/job.ts'
import type { WorkQueue } from '../../../lib/main-thread/work-queue.ts'
import type { Logger } from '../../../lib/telemetry/logger.ts'
import type { TaskJob, TaskReply } from '../../../workers/job.ts'
import type { RequestContext } from '../../context.ts'
import { problemOf, runJob } from '../../queued-job.ts'
import { answerJobFor, type Compute, jobFor } from './contract.ts'
import { madeOf, resultsOf } from './outcome.ts'

/**
 * Implements `Compute.run` with a queue.
 * @param cancel takes a job back whose client leaves after it was sent; absent if that is not worth its cost
 */
export const runQueued =
  (queue: WorkQueue<TaskJob, TaskReply>, logger: Logger, cancel?: (job: TaskJob) => void): Compute['run'] =>
  async (context, ...tasks) => {
    const job = jobFor(context, tasks)
    const { reply, askedAtMs } = await (cancel
      ? runUnlessGone(queue, context, job, cancel)
      : runJob(queue, context, job, 'TASK_FAILED'))
    return resultsOf(reply, { context, askedAtMs }, logger)
  }

/**
 * Implements `Compute.answer` with a queue.
 * @param cancel tells the thread of a job that the client has left
 */
export const answerQueued =
  (
    queue: WorkQueue<TaskJob, TaskReply>,
    logger: Logger,
    cancel?: (job: TaskJob) => void,
  ): NonNullable<Compute['answer']> =>
  (context, call, _tasks, settle) => {
    const job = answerJobFor(context, call)
    // To cancel a job that is done has no effect, so the listener may stay.
    if (cancel) context.onGone(() => cancel(job))
    queue.enqueue(context, job, end => {
      if (end instanceof JobFailed) settle(problemOf(end, 'TASK_FAILED'))
      else settle(madeOf(end.reply, { context, askedAtMs: end.askedAtMs }, logger))
    })
  }

async function runUnlessGone(
  queue: WorkQueue<TaskJob, TaskReply>,
  context: RequestContext,
  job: TaskJob,
  cancel: (job: TaskJob) => void,
) {
  const stay = context.onGone(() => cancel(job))
  try {
    return await runJob(queue, context, job, 'TASK_FAILED')
  } finally {
    stay()
  }
}
