import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { UserError } from './user-error.ts'

/**
 * Listens and returns the base URL, such as `http://127.0.0.1:3000`. If the app has several processes, they share the
 * port, unless `isOwn` gives each its own.
 * @throws UserError when the port is taken or not permitted; `flag` names the option to change
 */
export async function listen(
  server: Server,
  host: string,
  port: number,
  flag = '--port',
  isOwn = false,
): Promise<string> {
  server.listen({ port, host, exclusive: isOwn })
  try {
    await once(server, 'listening')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const other = code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL' ? '--host' : flag
    throw new UserError(`cannot listen on ${host}:${port} (${code}); choose another with ${other}`)
  }
  const address = server.address() as AddressInfo
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${name}:${address.port}`
}
