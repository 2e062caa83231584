import type { WorkQueue } from '../../../lib/main-thread/work-queue.ts'
import type { TaskJob, TaskReply } from '../../../workers/protocol.ts'
import { runJob } from '../../queued-job.ts'
import type { Logger } from '../logging/contract.ts'
import { answerCallFor, type Compute, jobFor } from './contract.ts'
import { answerOf, resultsOf, servedOf } from './outcome.ts'

/** Implements `Compute.run` and `Compute.answer` with a queue. */
export const runQueued = (
  queue: WorkQueue<TaskJob, TaskReply>,
  logger: Logger,
): Pick<Compute, 'run' | 'answer'> => ({
  async run(context, ...tasks) {
    const { reply, askedAtMs } = await runJob(queue, context, jobFor(context, tasks), 'TASK_FAILED')
    return resultsOf(reply, { context, askedAtMs }, logger)
  },
  async answer(context, input, ...tasks) {
    const { reply, askedAtMs } = await runJob(queue, context, jobFor(context, tasks, input), 'TASK_FAILED')
    return answerOf(reply, { context, askedAtMs }, logger)
  },
})

/** Implements `Compute.serve` with a queue. @param cancel tells the thread of a job that the client has left */
export const serveQueued =
  (
    queue: WorkQueue<TaskJob, TaskReply>,
    logger: Logger,
    cancel: (job: TaskJob) => void,
  ): NonNullable<Compute['serve']> =>
  async (context, input) => {
    const job: TaskJob = { answer: answerCallFor(context, input) }
    const stay = context.onGone(() => cancel(job))
    try {
      const { reply, askedAtMs } = await runJob(queue, context, job, 'TASK_FAILED')
      return servedOf(reply, { context, askedAtMs }, logger)
    } finally {
      stay()
    }
  }
