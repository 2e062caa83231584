import type { Logger } from '../lib/telemetry/logger.ts'
import type { TaskReply } from '../workers/job.ts'
import type { TaskLine } from '../workers/task-log.ts'
import { type RequestContext, requestContext } from './context.ts'
import type { WorkTimes } from './pool.ts'
import { Problem, type ProblemCode } from './problems.ts'

/** The request of a call, and the time of the call by the monotonic clock in milliseconds. */
interface Asked {
  readonly context: RequestContext
  readonly askedAtMs: number
}

export interface TaskResult<Output = unknown> extends WorkTimes {
  readonly output: Output
}

/**
 * Converts a reply to the results of its request, and writes the log lines of its tasks.
 * @throws Problem when a task failed or was not started in time
 */
export function resultsOf(reply: TaskReply, { context, askedAtMs }: Asked, logger: Logger): TaskResult[] {
  writeLines(reply.lines, context, logger)
  if (reply.kind !== 'done') throw problemOfReply(reply)
  return reply.runs.map(({ output, startedAtMs, runMs }) => ({
    output,
    waitMs: startedAtMs - askedAtMs,
    runMs,
  }))
}

/** Writes the log lines of tasks, in the context of their request. */
export function writeLines(lines: readonly TaskLine[] = [], context: RequestContext, logger: Logger): void {
  for (const { level, message, fields } of lines)
    requestContext.run(context, () => logger[level](message, fields))
}

/** The problem because of which there are no results. */
export function problemOfReply(reply: Exclude<TaskReply, { readonly kind: 'done' }>): Problem {
  switch (reply.kind) {
    case 'expired':
      return new Problem('DEADLINE_PASSED')
    case 'refused':
      return new Problem(reply.code as ProblemCode, undefined, reply.cause)
    case 'failed':
      return new Problem('TASK_FAILED', undefined, reply.stack ?? reply.message)
    default:
      throw new TypeError(`unknown task reply ${JSON.stringify(reply)}`)
  }
}
