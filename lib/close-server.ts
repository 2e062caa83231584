import { once } from 'node:events'
import type { Server } from 'node:http'

/**
 * Stops accepting, lets running requests finish, then ends every connection. What is still running after
 * `drainMs` is cut off.
 */
export async function closeServer(server: Server, drainMs = 10_000): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  const cutOff = setTimeout(() => server.closeAllConnections(), drainMs)
  await closed
  clearInterval(sweep)
  clearTimeout(cutOff)
}
