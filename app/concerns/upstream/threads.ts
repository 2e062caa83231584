import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { BroadcastChannel } from 'node:worker_threads'
import type { CallTimes } from '../../../lib/call-times.ts'
import { Problem } from '../../problems.ts'
import { createPagesInThreads } from '../rendering/pages-in-threads.ts'
import { answerByThread } from '../serialization/answer-by-thread.ts'
import type { CreateUpstream, InThreads } from './contract.ts'
import type { CircuitChange } from './in-thread.ts'
import { createMainClient } from './main-client.ts'
import { createCircuitTable } from './orders-client.ts'

/**
 * The client side of HTTP costs the main thread as much as the server side. Here the thread that needs the data fetches
 * it, and the main thread only asks the thread and gets the finished answer. What the main thread or a child process
 * needs, the main thread fetches as before.
 */
export const createUpstream: CreateUpstream = options => {
  const { url, timeoutMs, accept, apm, onCircuitChange } = options
  const table = createCircuitTable()
  const { places, ...client } = createMainClient(options, table)
  const channel = `circuits ${randomUUID()}`
  const changes = new BroadcastChannel(channel)
  changes.unref()
  changes.onmessage = ({ data }) => {
    const { operation, state } = data as CircuitChange
    onCircuitChange(operation, state)
  }

  const call: InThreads['call'] = async (operation, parent, send) => {
    if (client.circuits[operation].refuses()) throw new Problem('UPSTREAM_UNAVAILABLE')
    await new Promise<void>(resolve => places.acquire(resolve))
    const span = apm.startCall(url, parent)
    let times: CallTimes | undefined
    try {
      return await send(apm.callHeaders(span, parent), called => {
        times = called
      })
    } finally {
      places.release()
      if (times) apm.endCall(span, times)
      else apm.drop(span)
    }
  }

  const begin: InThreads['begin'] = parent => {
    const span = apm.startCall(url, parent)
    let isOpen = true
    const close = (finish: () => void) => {
      if (isOpen) finish()
      isOpen = false
    }
    return {
      headers: apm.callHeaders(span, parent),
      end: times => close(() => apm.endCall(span, times)),
      drop: () => close(() => apm.drop(span)),
    }
  }

  const data = { url, timeoutMs, accept, table, channel }
  return {
    ...client,
    inThreads: {
      answersFile: join(import.meta.dirname, '../serialization/answers-in-threads.ts'),
      answers: (serve, logging) => answerByThread(call, serve, logging),
      forPages: {
        dataFile: { file: join(import.meta.dirname, '../rendering/page-data.ts'), options: data },
        makePages: (threads, size) => createPagesInThreads(threads, size, begin),
      },
      data,
      call,
      begin,
    },
    async close() {
      changes.close()
      await client.close()
    },
  }
}
