import { recordThreadCalls } from '../../../lib/telemetry/call-span.ts'
import { hearNews } from '../../../lib/threads/news.ts'
import type { SpanHandle } from '../../context.ts'
import { Problem } from '../../problems.ts'
import type { CreateUpstream, ThreadNews } from './contract.ts'
import { createMainClient } from './main-client.ts'

/**
 * The client side of HTTP costs the main thread as much as the server side. Here the thread that needs the data fetches
 * it, and the main thread only asks the thread and gets the finished answer. What the main thread or a child process
 * needs, the main thread fetches as before.
 */
export const createUpstream: CreateUpstream = options => {
  const { url, timeoutMs, accept, apm, onCircuitChange } = options
  const calls = recordThreadCalls(apm, url)
  const { places, table, ...client } = createMainClient(options)
  const news = hearNews<ThreadNews>(said =>
    said.kind === 'circuit' ? onCircuitChange(...said.change) : calls.endLate(...said.call),
  )
  const beginHere = (parent: SpanHandle) =>
    Object.assign(calls.begin(parent), { onClosed: () => places.release() })
  return {
    ...client,
    inThreads: {
      data: { url, timeoutMs, accept, table, channel: news.channel },
      call(operation, parent) {
        if (client.circuits[operation].refuses()) throw new Problem('UPSTREAM_UNAVAILABLE')
        return places.take()?.then(() => beginHere(parent)) ?? beginHere(parent)
      },
      begin: calls.begin,
    },
    async close() {
      news.close()
      calls.close()
      await client.close()
    },
  }
}
