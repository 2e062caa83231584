import { randomUUID } from 'node:crypto'
import { BroadcastChannel } from 'node:worker_threads'
import type { CallSpan } from '../../call-span.ts'
import type { SpanHandle } from '../../context.ts'
import { Problem } from '../../problems.ts'
import type { CreateUpstream, InThreads, ThreadNews } from './contract.ts'
import { createMainClient } from './main-client.ts'
import { createCircuitTable } from './orders-client.ts'

/**
 * The client side of HTTP costs the main thread as much as the server side. Here the thread that needs the data fetches
 * it, and the main thread only asks the thread and gets the finished answer. What the main thread or a child process
 * needs, the main thread fetches as before.
 */
export const createUpstream: CreateUpstream = options => {
  const { url, timeoutMs, accept, startCall, onCircuitChange } = options
  const table = createCircuitTable()
  const { places, ...client } = createMainClient(options, table)
  const channel = `circuits ${randomUUID()}`
  const abandoned = new Map<number, CallSpan>()
  const news = new BroadcastChannel(channel)
  news.unref()
  news.onmessage = ({ data }) => {
    const said = data as ThreadNews
    if (said.kind === 'circuit') onCircuitChange(said.operation, said.state)
    else abandoned.get(said.id)?.end(said.times)
  }
  const begin = (parent: SpanHandle) => Object.assign(startCall(parent), { abandoned })
  const beginHere = (parent: SpanHandle) => Object.assign(begin(parent), { onClosed: () => places.release() })
  const call: InThreads['call'] = (operation, parent) => {
    if (client.circuits[operation].refuses()) throw new Problem('UPSTREAM_UNAVAILABLE')
    return places.take()?.then(() => beginHere(parent)) ?? beginHere(parent)
  }
  return {
    ...client,
    inThreads: { data: { url, timeoutMs, accept, table, channel }, call, begin },
    async close() {
      news.close()
      for (const call of abandoned.values()) call.drop()
      await client.close()
    },
  }
}
