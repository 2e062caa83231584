import { Pool } from 'undici'
import type { CircuitTable, Upstream, UpstreamOptions } from './contract.ts'
import { createCircuits, createCircuitTable, createOrdersClient } from './orders-client.ts'
import { Semaphore } from './semaphore.ts'

/** Calls of a process at the same time, by all of its threads. */
const CALLS_AT_ONCE = 128

/** Creates the client of the main thread. Other threads may share its circuits and its places for calls. */
export function createMainClient(
  { url, onCircuitChange, ...options }: UpstreamOptions,
  table: CircuitTable = createCircuitTable(),
): Upstream & { readonly places: Semaphore } {
  const places = new Semaphore(CALLS_AT_ONCE)
  const circuits = createCircuits(table, options.timeoutMs, onCircuitChange)
  return {
    ...createOrdersClient({ ...options, pool: new Pool(url, { pipelining: 1 }), circuits, places }),
    queue: { workers: CALLS_AT_ONCE, oldestWaitMs: () => places.oldestWaitMs() },
    circuits,
    places,
  }
}
