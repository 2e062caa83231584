import type { MadeAnswer, TaskReply } from '../../../workers/protocol.ts'
import { type RequestContext, requestContext } from '../../context.ts'
import { Problem } from '../../problems.ts'
import type { Logger } from '../logging/contract.ts'
import type { Answered, TaskResult } from './contract.ts'

/** Who asked, and when by the monotonic clock. */
interface Asked {
  readonly context: RequestContext
  readonly askedAtMs: number
}

/**
 * What a reply means to the request that asked. What its tasks logged is written.
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
    case 'failed':
      throw new Problem('TASK_FAILED', undefined, reply.stack ?? reply.message)
    default:
      throw new TypeError(`unknown task reply ${JSON.stringify(reply)}`)
  }
}

/**
 * The same of a reply that brings an answer.
 * @throws Problem also when what it is to be made of is not what upstream was asked for
 */
export function answerOf(reply: TaskReply, asked: Asked, logger: Logger): Answered {
  const results = resultsOf(reply, asked, logger)
  const { contentType, bytes } = (reply as { readonly answer: MadeAnswer }).answer
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  return { encoded: { contentType, body }, results }
}
