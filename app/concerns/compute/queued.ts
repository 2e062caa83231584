import { JobFailed } from '../../../lib/main-thread/job.ts'
import type { WorkQueue } from '../../../lib/main-thread/work-queue.ts'
import type { Logger } from '../../../lib/telemetry/logger.ts'
import type { TaskJob, TaskReply } from '../../../workers/job.ts'
import type { RequestContext } from '../../context.ts'
import { problemOf, resultsOf } from '../../tasks.ts'
import type { Compute, TracedTask } from './contract.ts'

/**
 * Implements `Compute.run` with a queue.
 * @param cancel takes a job back whose client leaves after it was sent; absent if that is not worth its cost
 */
export const runQueued =
  (queue: WorkQueue<TaskJob, TaskReply>, logger: Logger, cancel?: (job: TaskJob) => void): Compute['run'] =>
  async (context, ...tasks) => {
    const job = jobFor(context, tasks)
    const remain = cancel && context.onGone(() => cancel(job))
    try {
      const { reply, askedAtMs } = await queue.run(context, job)
      return resultsOf(reply, { context, askedAtMs }, logger)
    } catch (error) {
      throw error instanceof JobFailed ? problemOf(error) : error
    } finally {
      remain?.()
    }
  }

/** Puts tasks into a message, each with the data of its request. */
export const jobFor = ({ requestId, deadline }: RequestContext, tasks: readonly TracedTask[]): TaskJob => ({
  calls: tasks.map(({ name, input, traceparent }) => ({
    name,
    input,
    envelope: { requestId, traceparent, deadline },
  })),
})
