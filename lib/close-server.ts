import { once } from 'node:events'
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'
import { afterRunning } from './running-time.ts'

/**
 * A request that was sent before a client could know that the server stops has arrived by then. One that is sent later
 * may meet the end of its idle connection, as any over HTTP/1.1 may, which is why clients repeat it (RFC 9112, 9.3.1).
 */
export const ARRIVAL_MS = 200

/**
 * Stops accepting, lets running requests finish, and ends connections that nothing comes over any more. `Server.close`
 * of node:http would end those that are idle at this moment, over which a request may be on its way. What is still
 * running after `drainMs`, in which this process ran itself, is cut off.
 */
export async function closeServer(server: Server, drainMs = 10_000): Promise<void> {
  const closed = once(server, 'close')
  // Of those that will have been busy until then.
  server.keepAliveTimeout = ARRIVAL_MS
  NetServer.prototype.close.call(server)
  const cancelCutOff = afterRunning(drainMs, () => server.closeAllConnections())
  await Promise.race([closed, delay(ARRIVAL_MS)])
  await untilNothingCame(server)
  server.closeIdleConnections()
  await closed
  cancelCutOff()
}

/**
 * What came while this thread was busy is read first; and what came while it read that, until a turn of the event loop
 * brought nothing: only in that moment is a connection idle that seems to be.
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
