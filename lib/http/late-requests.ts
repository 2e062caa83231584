import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'

/**
 * After this time, a request has arrived that was sent before its client could know that the server stops. A later
 * request may meet the end of its idle connection, as any request over HTTP/1.1 may; clients therefore repeat it (RFC
 * 9112, 9.3.1).
 */
export const ARRIVAL_MS = 200

/**
 * Stops accepting connections, and takes the requests that are on their way over connections that are idle at this moment:
 * `Server.close` of node:http would close these at once.
 * @param closed resolves when no connection is left
 * @param arrivalMs how long idle connections stay open
 */
export async function takeLateRequests(
  server: Server,
  closed: Promise<unknown>,
  arrivalMs = ARRIVAL_MS,
): Promise<void> {
  // This applies to connections that finish a request from now on.
  server.keepAliveTimeout = arrivalMs
  NetServer.prototype.close.call(server)
  await Promise.race([closed, delay(arrivalMs)])
  await untilNothingCame(server)
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
