import type { MadeAnswer, TaskReply } from '../../../workers/protocol.ts'
import { type RequestContext, requestContext } from '../../context.ts'
import { Problem, type ProblemCode, toProblem } from '../../problems.ts'
import type { Logger } from '../logging/contract.ts'
import type { Answered, Served, TaskResult } from './contract.ts'

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
    case 'bad data':
      throw new Problem('UPSTREAM_FAILED', undefined, reply.stack ?? reply.message)
    case 'refused':
      throw new Problem(reply.code as ProblemCode, undefined, reply.cause)
    case 'failed':
      throw new Problem('TASK_FAILED', undefined, reply.stack ?? reply.message)
    default:
      throw new TypeError(`unknown task reply ${JSON.stringify(reply)}`)
  }
}

/**
 * Converts a reply that contains an answer.
 * @throws Problem as `resultsOf`, and also when the upstream data does not match the query
 */
export function answerOf(reply: TaskReply, asked: Asked, logger: Logger): Answered {
  const results = resultsOf(reply, asked, logger)
  const { contentType, body } = (reply as { readonly answer: MadeAnswer }).answer
  const passedOn = typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.length)
  return { encoded: { contentType, body: passedOn }, results }
}

/** Converts the reply to an answer that a thread has begun. */
export function servedOf(reply: TaskReply, asked: Asked, logger: Logger): Served {
  const { report } = reply
  try {
    const { encoded, results } = answerOf(reply, asked, logger)
    return { outcome: encoded, results, report }
  } catch (error) {
    return { outcome: toProblem(error), results: [], report }
  }
}
