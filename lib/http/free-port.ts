import { once } from 'node:events'
import { createServer } from 'node:net'

/** Ports below those that Linux and others give to clients: the connection of a client would take the port again. */
const [LOWEST, COUNT] = [20_000, 12_000]

/** Finds a port of loopback on which no process listens at the moment. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * COUNT)
    const server = createServer().listen(port, '127.0.0.1')
    try {
      await once(server, 'listening')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') continue
      throw error
    }
    server.close()
    await once(server, 'close')
    return port
  }
}
