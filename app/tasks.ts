import { type Failure, JobFailed } from '../lib/main-thread/job.ts'
import type { Logger } from '../lib/telemetry/logger.ts'
import type { TaskReply } from '../workers/job.ts'
import type { TaskLine } from '../workers/task-log.ts'
import type { Apm } from './concerns/apm/contract.ts'
import type { Compute, TaskResult } from './concerns/compute/contract.ts'
import { type RequestContext, requestContext, type SpanHandle, type WorkTimes } from './context.ts'
import { Problem, type ProblemCode } from './problems.ts'

export interface TaskRecorder {
  begin(tasks: readonly { readonly name: string }[], context: RequestContext): SpanHandle[]
  end(spans: readonly SpanHandle[], results: readonly WorkTimes[]): void
  fail(spans: readonly SpanHandle[], error: Error): void
}

export type InstrumentedCompute = Compute & { readonly recorder: TaskRecorder }

/** Instruments compute: every task becomes a span. Neither concern knows the other. */
export function instrumentTasks<Made extends Compute>(compute: Made, apm: Apm): Made & InstrumentedCompute {
  const recorder: TaskRecorder = {
    begin: (tasks, { span }) => tasks.map(({ name }) => apm.startWork('task', name, span)),
    end(spans, results) {
      for (const [index, result] of results.entries()) apm.endWork(spans[index], result)
    },
    fail(spans, error) {
      for (const span of spans) apm.failWork(span, error)
    },
  }
  return {
    ...compute,
    recorder,
    async run(context, ...tasks) {
      const spans = recorder.begin(tasks, context)
      try {
        const traced = tasks.map((task, index) => ({ ...task, traceparent: apm.traceparent(spans[index]) }))
        const results = await compute.run(context, ...traced)
        recorder.end(spans, results)
        return results
      } catch (error) {
        recorder.fail(spans, error as Error)
        throw error
      }
    },
  }
}

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
  writeLines(reply.lines, context, logger)
  if (reply.kind !== 'done') throw problemOf(reply)
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

/** The problem because of which there are no results: the reply says so, or the job was not done. */
export function problemOf(end: JobFailed | Exclude<TaskReply, { readonly kind: 'done' }>): Problem {
  if (end instanceof JobFailed) {
    const { failure, message } = end
    return new Problem(codes[failure], undefined, message === failure ? undefined : message)
  }
  switch (end.kind) {
    case 'expired':
      return new Problem('DEADLINE_PASSED')
    case 'refused':
      return new Problem(end.code as ProblemCode, undefined, end.cause)
    case 'failed':
      return new Problem('TASK_FAILED', undefined, end.stack ?? end.message)
    default:
      throw new TypeError(`unknown task reply ${JSON.stringify(end)}`)
  }
}

const codes: Readonly<Record<Failure, ProblemCode>> = {
  'client gone': 'CLIENT_GONE',
  'deadline passed': 'DEADLINE_PASSED',
  'timed out': 'TASK_TIMEOUT',
  died: 'TASK_FAILED',
  'not sent': 'TASK_FAILED',
  closed: 'TASK_FAILED',
}
