import { once } from 'node:events'
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'
import { afterRunning } from '../os/running-time.ts'

/**
 * After this time, a request has arrived that was sent before its client could know that the server stops. A later
 * request may meet the end of its idle connection, as any request over HTTP/1.1 may; clients therefore repeat it (RFC
 * 9112, 9.3.1).
 */
export const ARRIVAL_MS = 200

interface ClosingOptions {
  readonly drainMs?: number
  /** How long idle connections stay open. */
  readonly arrivalMs?: number
}

/**
 * Stops accepting connections, lets running requests finish, and then closes idle connections. `Server.close` of
 * node:http would close the connections that are idle at this moment, although a request may be on its way over them.
 * Requests that still run after `drainMs` are cut off; only time in which this process ran is counted.
 */
export async function closeServer(
  server: Server,
  { drainMs = 10_000, arrivalMs = ARRIVAL_MS }: ClosingOptions = {},
): Promise<void> {
  const closed = once(server, 'close')
  // This applies to connections that finish a request from now on.
  server.keepAliveTimeout = arrivalMs
  NetServer.prototype.close.call(server)
  const cancelCutOff = afterRunning(drainMs, () => server.closeAllConnections())
  await Promise.race([closed, delay(arrivalMs)])
  await untilNothingCame(server)
  server.closeIdleConnections()
  await closed
  cancelCutOff()
}

/**
 * Requests that arrived while this thread was busy are read first, and also those that arrive meanwhile, until a turn
 * of the event loop brings none. Only then is a connection idle that appears to be idle.
 */
async function untilNothingCame(server: Server): Promise<void> {
  let came = 0
  const count = () => came++
  server.on('request', count)
  for (let before = -1; came !== before; ) {
    before = came
    await turn()
  }
  server.off('request', count)
}
