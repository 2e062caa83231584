import { type Failure, JobFailed } from '../lib/main-thread/job.ts'
import type { WorkQueue } from '../lib/main-thread/work-queue.ts'
import type { RequestContext } from './context.ts'
import { Problem, type ProblemCode } from './problems.ts'

/**
 * Runs a job of a request in a queue.
 * @param died the problem that is thrown when the thread or process of the job died
 * @param deadline the deadline of the request, unless this job has to begin sooner
 * @throws Problem CLIENT_GONE, DEADLINE_PASSED, TASK_TIMEOUT, or `died`
 */
export const runJob = <Call, Reply>(
  queue: WorkQueue<Call, Reply>,
  context: RequestContext,
  call: Call,
  died: ProblemCode,
  deadline?: number,
) =>
  queue.run(context, call, deadline).catch((error: unknown) => {
    throw error instanceof JobFailed ? problemOf(error, died) : error
  })

const codes: Readonly<Record<Exclude<Failure, 'died' | 'closed'>, ProblemCode>> = {
  'client gone': 'CLIENT_GONE',
  'deadline passed': 'DEADLINE_PASSED',
  'timed out': 'TASK_TIMEOUT',
}

/** The problem because of which a job was not done. @param died the problem if its thread or process died, or was closed */
export function problemOf({ failure, message }: JobFailed, died: ProblemCode): Problem {
  const code = failure === 'died' || failure === 'closed' ? died : codes[failure]
  return new Problem(code, undefined, message === failure ? undefined : message)
}
