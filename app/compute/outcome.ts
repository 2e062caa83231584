import type { TaskReply } from '../../workers/protocol.ts'
import { Problem } from '../problems.ts'
import type { TaskResult } from './contract.ts'

/**
 * What a reply means to the request that asked.
 * @param askedAtMs by the monotonic clock
 * @throws Problem when a task failed or was not started in time
 */
export function resultsOf(reply: TaskReply, askedAtMs: number): TaskResult<unknown>[] {
  switch (reply.kind) {
    case 'done':
      return reply.runs.map(({ output, startedAtMs, runMs }) => ({
        output,
        waitMs: startedAtMs - askedAtMs,
        runMs,
      }))
    case 'expired':
      throw new Problem('DEADLINE_PASSED')
    case 'failed':
      throw new Problem('TASK_FAILED', undefined, reply.stack ?? reply.message)
    default:
      throw new TypeError(`unknown task reply ${JSON.stringify(reply)}`)
  }
}
