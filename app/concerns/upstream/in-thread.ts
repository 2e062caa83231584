import { BroadcastChannel } from 'node:worker_threads'
import type { CallPool } from '../../../lib/http/get/call-pool.ts'
import { GetPool } from '../../../lib/http/get/get-pool.ts'
import type { CircuitState } from './circuit-cell.ts'
import type { Operation, OrdersClient, ThreadData } from './contract.ts'
import { createCircuits, createOrdersClient } from './orders-client.ts'

/** A change of a circuit that a call of a thread has caused. */
export interface CircuitChange {
  readonly operation: Operation
  readonly state: CircuitState
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
}: ThreadData): Promise<OrdersClient> {
  const changes = new BroadcastChannel(channel)
  changes.unref()
  const circuits = createCircuits(table, options.timeoutMs, (operation, state) =>
    changes.postMessage({ operation, state } satisfies CircuitChange),
  )
  const pool = await createPool(url)
  return createOrdersClient({ ...options, pool, circuits })
}

/** A client of our own takes half of undici's time for a call. It has no TLS. */
async function createPool(url: string): Promise<CallPool> {
  if (URL.parse(url)?.protocol === 'http:') return new GetPool(url)
  const { Pool } = await import('undici')
  return new Pool(url, { pipelining: 1 })
}
