import { UserError } from '../../../lib/cli/user-error.ts'
import { recordThreadCalls, type ThreadCalls } from '../../../lib/telemetry/thread-calls.ts'
import { answerOnMainThread } from '../../answers/answers.ts'
import { type AnsweringOptions, answerInThreads } from '../../answers/in-threads.ts'
import { fetchInThreads } from '../../pages/in-threads.ts'
import { fetchOnMainThread } from '../../pages/sources.ts'
import type { CreateUpstream, Upstream, UpstreamOptions } from './contract.ts'

/**
 * The client side of HTTP costs the main thread as much as the server side. Here the thread that needs the data fetches
 * it, and the main thread only asks the thread and gets the finished answer. What the main thread itself needs, it
 * fetches as before.
 * @throws UserError when the composition lacks what this needs
 */
export const createUpstream: CreateUpstream<
  UpstreamOptions & Omit<AnsweringOptions, 'calls'>,
  Upstream & { readonly calls: ThreadCalls }
> = async options => {
  const { apm, compute, clientOptions: upstream, pageFile } = options
  if (!apm.calls)
    throw new UserError('--upstream threads needs an apm that records calls of threads: --apm sidecar')
  const calls = recordThreadCalls(apm.calls, upstream.url)
  const inThreads = { ...fetchInThreads(calls), moduleOptions: { pageFile, upstream } }
  return {
    calls,
    answerOrders: await (compute.answering
      ? answerInThreads({ ...options, calls }, compute.answering)
      : answerOnMainThread(options)),
    page: { ...fetchOnMainThread(options), inThreads },
  }
}
