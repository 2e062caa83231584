import { BroadcastChannel } from 'node:worker_threads'
import { createGetPool } from '../../../lib/http/get/create-get-pool.ts'
import type { ThreadClient, ThreadData, ThreadNews } from './contract.ts'
import { createCircuits, createOrdersClient } from './orders-client.ts'

/**
 * Creates the client of a thread. It has connections of its own, and shares the circuits of the process. The main thread
 * limits the calls and the pages that it asks the thread for, so the thread has no queue.
 */
export async function createThreadClient({
  url,
  table,
  channel,
  ...options
}: ThreadData): Promise<ThreadClient> {
  const news = new BroadcastChannel(channel)
  news.unref()
  const tell = (said: ThreadNews) => news.postMessage(said)
  const circuits = createCircuits(table, options.timeoutMs, (operation, state) =>
    tell({ kind: 'circuit', operation, state }),
  )
  return {
    ...createOrdersClient({ ...options, pool: await createGetPool(url), circuits }),
    endLate: (id, times) => tell({ kind: 'late call', id, times }),
  }
}
