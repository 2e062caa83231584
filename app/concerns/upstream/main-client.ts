import { Pool } from 'undici'
import type { CircuitTable, Upstream, UpstreamOptions } from './contract.ts'
import { createCircuitTable, createOrdersClient } from './orders-client.ts'
import { Semaphore } from './semaphore.ts'

/**
 * Calls at the same time by the main thread and, with its places, by worker threads. Pages that render threads make take no
 * places: the renderer limits how many it makes at once, and their calls come on top.
 */
const CALLS_AT_ONCE = 128

/** Creates the client of the main thread. Other threads may share its circuits and its places for calls. */
export function createMainClient({ url, ...options }: UpstreamOptions): MainClient {
  const places = new Semaphore(CALLS_AT_ONCE)
  const table = createCircuitTable()
  return {
    ...createOrdersClient({ ...options, table, pool: new Pool(url, { pipelining: 1 }), places }),
    queue: { workers: CALLS_AT_ONCE, oldestWaitMs: () => places.oldestWaitMs() },
    places,
    table,
  }
}

interface MainClient extends Upstream {
  readonly places: Semaphore
  readonly table: CircuitTable
}
