import { Pool } from 'undici'
import { newsTeller } from '../../../lib/threads/news.ts'
import type { ThreadClient, ThreadData, ThreadNews } from './contract.ts'
import { createOrdersClient } from './orders-client.ts'

/**
 * Creates the client of a thread. It has connections of its own, and shares the circuits of the process. The main thread
 * limits the calls and the pages that it asks the thread for, so the thread has no queue.
 */
export async function createThreadClient({ url, channel, ...options }: ThreadData): Promise<ThreadClient> {
  const tell = newsTeller<ThreadNews>(channel)
  return {
    ...createOrdersClient({
      ...options,
      pool: new Pool(url, { pipelining: 1 }),
      onCircuitChange: (...change) => tell({ kind: 'circuit', change }),
    }),
    endLate: (...call) => tell({ kind: 'late call', call }),
  }
}
