import type { Logger } from '../../../lib/telemetry/logger.ts'
import type { TaskReply } from '../../../workers/job.ts'
import { type RequestContext, requestContext } from '../../context.ts'
import { Problem, type ProblemCode, toProblem } from '../../problems.ts'
import type { Made, TaskResult } from './contract.ts'

/** The request of a call, and the time of the call by the monotonic clock in milliseconds. */
interface Asked {
  readonly context: RequestContext
  readonly askedAtMs: number
}

/**
 * Converts a reply to the results of its request, and writes the log lines of its tasks.
 * @throws Problem when a task failed or was not started in time
 */
export function resultsOf(reply: TaskReply, { context, askedAtMs }: Asked, logger: Logger): TaskResult[] {
  for (const { level, message, fields } of reply.lines ?? []) {
    requestContext.run(context, () => logger[level](message, fields))
  }
  switch (reply.kind) {
    case 'done':
      return reply.runs.map(({ output, startedAtMs, runMs }) => ({
        output,
        waitMs: startedAtMs - askedAtMs,
        runMs,
      }))
    case 'expired':
      throw new Problem('DEADLINE_PASSED')
    case 'refused':
      throw new Problem(reply.code as ProblemCode, undefined, reply.cause)
    case 'failed':
      throw new Problem('TASK_FAILED', undefined, reply.stack ?? reply.message)
    default:
      throw new TypeError(`unknown task reply ${JSON.stringify(reply)}`)
  }
}

/** Converts the reply to an answer that a worker has begun. */
export function madeOf(reply: TaskReply, asked: Asked, logger: Logger): Made {
  const { report } = reply
  try {
    const results = resultsOf(reply, asked, logger)
    if (reply.kind !== 'done' || !reply.answer) throw new TypeError('the reply has no answer')
    const { contentType, body } = reply.answer
    const passedOn = typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.length)
    return { outcome: { contentType, body: passedOn }, results, report }
  } catch (error) {
    return { outcome: toProblem(error), results: [], report }
  }
}
