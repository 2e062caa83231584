import { BroadcastChannel } from 'node:worker_threads'
import type { CallPool } from '../../../lib/http/get/call-pool.ts'
import { GetPool } from '../../../lib/http/get/get-pool.ts'
import type { CallTimes } from '../../../lib/telemetry/call-times.ts'
import type { CircuitState } from './circuit-cell.ts'
import type { Operation, OrdersClient, ThreadData } from './contract.ts'
import { createCircuits, createOrdersClient } from './orders-client.ts'

/** Messages of threads to the main thread. */
export type ThreadNews =
  /** A call of the thread has changed a circuit. */
  | { readonly kind: 'circuit'; readonly operation: Operation; readonly state: CircuitState }
  /** A call has ended for whose end nobody waited. */
  | { readonly kind: 'late call'; readonly id: number; readonly times: CallTimes }

export interface ThreadClient extends OrdersClient {
  /** Tells the main thread that a call has ended. It is the one that `ThreadCall.id` names there. */
  endLate(id: number, times: CallTimes): void
}

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
  const pool = await createPool(url)
  return {
    ...createOrdersClient({ ...options, pool, circuits }),
    endLate: (id, times) => tell({ kind: 'late call', id, times }),
  }
}

/** A client of our own takes half of undici's time for a call. It has no TLS. */
async function createPool(url: string): Promise<CallPool> {
  if (URL.parse(url)?.protocol === 'http:') return new GetPool(url)
  const { Pool } = await import('undici')
  return new Pool(url, { pipelining: 1 })
}
