import { JobFailed } from '../../../lib/main-thread/job.ts'
import type { WorkQueue } from '../../../lib/main-thread/work-queue.ts'
import type { TaskJob, TaskReply } from '../../../workers/protocol.ts'
import type { RequestContext } from '../../context.ts'
import { problemOf, runJob } from '../../queued-job.ts'
import type { Logger } from '../logging/contract.ts'
import { answerCallFor, type Compute, jobFor } from './contract.ts'
import { answerOf, resultsOf, servedOf } from './outcome.ts'

/**
 * Implements `Compute.run` and `Compute.answer` with a queue.
 * @param cancel takes a job back whose client leaves after it was sent; absent if that is not worth its cost
 */
export function runQueued(
  queue: WorkQueue<TaskJob, TaskReply>,
  logger: Logger,
  cancel?: (job: TaskJob) => void,
): Pick<Compute, 'run' | 'answer'> {
  const run = (context: RequestContext, job: TaskJob) =>
    cancel ? runUnlessGone(queue, context, job, cancel) : runJob(queue, context, job, 'TASK_FAILED')
  return {
    async run(context, ...tasks) {
      const { reply, askedAtMs } = await run(context, jobFor(context, tasks))
      return resultsOf(reply, { context, askedAtMs }, logger)
    },
    async answer(context, input, ...tasks) {
      const { reply, askedAtMs } = await run(context, jobFor(context, tasks, input))
      return answerOf(reply, { context, askedAtMs }, logger)
    },
  }
}

/** Implements `Compute.serve` with a queue. @param cancel tells the thread of a job that the client has left */
export const serveQueued =
  (
    queue: WorkQueue<TaskJob, TaskReply>,
    logger: Logger,
    cancel: (job: TaskJob) => void,
  ): NonNullable<Compute['serve']> =>
  (context, input, _tasks, settle) => {
    const job: TaskJob = { answer: answerCallFor(context, input) }
    // To cancel a job that is done has no effect, so the listener may stay.
    context.onGone(() => cancel(job))
    queue.enqueue(context, job, end => {
      if (end instanceof JobFailed) settle(problemOf(end, 'TASK_FAILED'))
      else settle(servedOf(end.reply, { context, askedAtMs: end.askedAtMs }, logger))
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
