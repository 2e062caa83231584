import { once } from 'node:events'
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'

/** A request that was sent before a client could know that the server stops has arrived by then. */
const ARRIVAL_MS = 200

/**
 * Stops accepting, lets running requests finish, and ends connections that nothing comes over any more. `Server.close`
 * of node:http would end those that are idle at this moment, over which a request may be on its way. What is still
 * running after `drainMs` is cut off.
 */
export async function closeServer(server: Server, drainMs = 10_000): Promise<void> {
  const closed = once(server, 'close')
  // Of those that will have been busy until then.
  server.keepAliveTimeout = ARRIVAL_MS
  NetServer.prototype.close.call(server)
  const cutOff = setTimeout(() => server.closeAllConnections(), drainMs)
  await Promise.race([closed, delay(ARRIVAL_MS)])
  // What came while this thread was busy is read first.
  await turn()
  server.closeIdleConnections()
  await closed
  clearTimeout(cutOff)
}
