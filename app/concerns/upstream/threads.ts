import { join } from 'node:path'
import { UserError } from '../../../lib/cli/user-error.ts'
import { beginPageCalls, type ThreadCalls } from '../../../lib/telemetry/thread-calls.ts'
import type { ThreadLines } from '../../../logger-transport/thread-lines.ts'
import type { AnsweringThreads } from '../../../workers/main-thread/answering-threads.ts'
import { answerOnMainThread } from '../../answers/answers.ts'
import type { AnswerThreadData, AskedAnswer } from '../../answers/in-thread.ts'
import { type AnswerOrders, orderAnswers } from '../../answers/order-answers.ts'
import { problemOfNote, type ThreadPage } from '../../pages/in-thread.ts'
import { pageFetcher } from '../../pages/page-data.ts'
import { type InstrumentedCompute, problemOf, writeLines } from '../../tasks.ts'
import type { CreateUpstream, Upstream, UpstreamOptions } from './contract.ts'

interface Options extends UpstreamOptions {
  readonly apm: object & { readonly calls?: ThreadCalls }
  readonly compute: InstrumentedCompute & { readonly answering?: AnsweringThreads }
  readonly logging: { sink: object & { threadLines?: ThreadLines } }
  readonly serializationFile: string
}

/**
 * The client side of HTTP costs the main thread as much as the server side. Here the thread that needs the data fetches
 * it, and the main thread only asks the thread and gets the finished answer.
 */
export const createUpstream: CreateUpstream<
  Options,
  Upstream & { inThreads: ThreadPage }
> = async options => {
  const { apm, compute, logging, serializationFile, clientOptions: upstream } = options
  const { calls } = apm
  const { answering } = compute
  if (!calls) throw new UserError('--upstream threads needs an apm that records such calls: --apm sidecar')
  const data: AnswerThreadData = { serializationFile, upstream, format: logging.sink.threadLines?.format }
  await answering?.load({ file: join(import.meta.dirname, '../../answers/in-thread.ts'), data })
  return {
    answerOrders: answering ? answerInThreads(options, calls, answering) : answerOnMainThread(options),
    fetchPage: pageFetcher(options.client),
    inThreads: fetchInThreads(options, calls),
  }
}

/** The threads that run tasks make whole answers: they fetch the orders, too. */
function answerInThreads(options: Options, calls: ThreadCalls, threads: AnsweringThreads): AnswerOrders {
  const { logging, logger, clientOptions } = options
  const { recorder } = options.compute
  return async (query, context) => {
    const call = calls.begin('orders', clientOptions.url, context.span)
    const spans = recorder.begin(orderAnswers[query.name].tasks(query.query), context)
    const asked: AskedAnswer = [query, call.headers]
    const end = await threads.ask(context, asked)
    call.end(end.report?.call)
    if (end.report) logging.sink.threadLines?.write(end.report.lines)
    writeLines(end.lines, context, logger)
    if (end.answer) {
      recorder.end(spans, end.times)
      return end.answer
    }
    const problem = problemOf(end.failure)
    // An answer whose data did not come has needed none of its tasks.
    if (/^(UPSTREAM_|CLIENT_GONE$)/.test(problem.code)) spans.forEach(calls.drop)
    else recorder.fail(spans, problem)
    throw problem
  }
}

/** The render threads fetch the data of their pages. */
const fetchInThreads = ({ clientOptions: upstream }: Options, calls: ThreadCalls): ThreadPage => ({
  module: new URL('../../pages/fetching-in-thread.ts', import.meta.url),
  moduleOptions: upstream,
  open({ context, onMissing }) {
    const begin = (name: string) => calls.begin(name, upstream.url, context.span)
    const open = beginPageCalls(['orders', 'recommendations'], begin, onMissing)
    return {
      props: { calls: open.sent },
      onNote: (note: unknown) => open.takeNote(note) || onMissing('recommendations', problemOfNote(note)),
      onOver: () => open.endAll(context.gone ? 'CLIENT_GONE' : 'UPSTREAM_TIMEOUT'),
    }
  },
})
