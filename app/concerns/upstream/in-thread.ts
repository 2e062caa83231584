import { BroadcastChannel } from 'node:worker_threads'
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
 * takes a place for each call before it asks the thread for it, so the thread has no queue.
 */
export function createThreadClient({ table, channel, ...options }: ThreadData): OrdersClient {
  const changes = new BroadcastChannel(channel)
  changes.unref()
  const circuits = createCircuits(table, options.timeoutMs, (operation, state) =>
    changes.postMessage({ operation, state } satisfies CircuitChange),
  )
  return createOrdersClient({ ...options, circuits })
}
