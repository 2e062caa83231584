import type { TaskCalls, TaskReply } from '../../workers/protocol.ts'
import type { Logger } from '../logging/contract.ts'
import type { WorkQueue } from '../work-queue.ts'
import { type Compute, callsFor } from './contract.ts'
import { resultsOf } from './outcome.ts'

/** `Compute.run` by a queue. */
export const runQueued =
  (queue: WorkQueue<TaskCalls, TaskReply>, logger: Logger): Compute['run'] =>
  async (context, ...tasks) => {
    const { reply, askedAtMs } = await queue.run(context, callsFor(context, tasks))
    return resultsOf(reply, { context, askedAtMs }, logger) as never
  }
