import { join } from 'node:path'
import { JobFailed } from '../../lib/main-thread/job.ts'
import type { CallRecorder } from '../../lib/telemetry/call-times.ts'
import { logLevels } from '../../lib/telemetry/logger.ts'
import type { ThreadCalls } from '../../lib/telemetry/thread-calls.ts'
import type { ThreadLines } from '../../logger-transport/thread-lines.ts'
import { unpackAnswer } from '../../workers/job.ts'
import type { AnsweringThreads, AnswerRecorder } from '../../workers/main-thread/answering-threads.ts'
import type { Apm } from '../concerns/apm/contract.ts'
import type { Logging, LogSink } from '../concerns/logging/contract.ts'
import type { ClientOptions } from '../concerns/upstream/orders-client.ts'
import type { RequestContext } from '../context.ts'
import { addDone, type Pool } from '../pool.ts'
import { Problem } from '../problems.ts'
import { problemOf } from '../queued-job.ts'
import { problemOfReply, writeLines } from '../task-outcome.ts'
import type { AnswerThreadData } from './in-thread.ts'
import { type AnswerOrders, forEachAnswer, orderAnswers } from './order-answers.ts'
import { packQuery } from './packed-query.ts'

export interface AnsweringOptions {
  readonly compute: { readonly answering?: AnsweringThreads; readonly pool: Pool }
  readonly calls: ThreadCalls
  readonly apm: Apm & { readonly calls?: CallRecorder }
  readonly logging: Logging<LogSink & { readonly threadLines?: ThreadLines }>
  readonly logRedact: readonly string[]
  readonly serializationFile: string
  readonly clientOptions: ClientOptions
}

/** Lets the threads that run tasks make whole answers: they fetch the orders, too. */
export async function answerInThreads(
  {
    compute,
    calls,
    apm,
    logging,
    logRedact: redacted,
    serializationFile,
    clientOptions: upstream,
  }: AnsweringOptions,
  threads: AnsweringThreads,
): Promise<AnswerOrders> {
  const { threadLines } = logging.sink
  const lines = threadLines && { countsOnly: threadLines.countsOnly, redacted }
  const data: AnswerThreadData = { serializationFile, upstream, lines }
  await threads.load({ file: join(import.meta.dirname, 'in-thread.ts'), data })
  const recorder: AnswerRecorder<Problem> = {
    takeLines: ({ text, count }) => threadLines?.write('info', text, count),
    writeLines: (reply, client) => writeLines(reply.lines, client as RequestContext, logging.logger),
    endTask(span, times) {
      apm.endWork(span, times)
      addDone(compute.pool, times)
    },
    // An answer whose data did not come has needed none of its tasks.
    failTask: (span, problem) =>
      /^(UPSTREAM_|CLIENT_GONE$)/.test(problem.code) ? apm.calls?.drop(span) : apm.failWork(span, problem),
    failureOf: end => (end instanceof JobFailed ? problemOf(end, 'TASK_FAILED') : problemOfReply(end)),
  }
  return (query, client) => {
    const call = calls.begin('orders', client.span)
    const spans = taskNames[query.name].map(name => apm.startWork('task', name, client.span))
    const logs = logLevels.indexOf(logging.level) >= INFO
    const asked = { client, call, spans, input: packQuery(query, logs, call.headers) }
    return new Promise((resolve, reject) =>
      threads.ask(asked, recorder, answer =>
        answer instanceof Problem ? reject(answer) : resolve(unpackAnswer(answer)),
      ),
    )
  }
}

const INFO = logLevels.indexOf('info')

/** The names of the tasks of each answer, which do not depend on the query. */
const taskNames = forEachAnswer(name =>
  orderAnswers[name].tasks({ count: 0, payload: 'mixed', seed: 1 }).map(task => task.name),
)
