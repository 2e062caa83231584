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
    throw refusedPort(error, host, port, flag)
  }
  return urlOf(server)
}

/**
 * Listens on a socket that this process was started with, and that is bound already. Processes that share it accept
 * connections by chance, and none is lost as long as one of them has it open.
 * @throws UserError when the file descriptor is not a socket to listen on
 */
export async function listenOnDescriptor(server: Server, fd: number): Promise<string> {
  server.listen({ fd })
  try {
    await once(server, 'listening')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UserError(
      `cannot listen on the file descriptor ${fd} (${code}); --listen-fd names a bound socket`,
    )
  }
  return urlOf(server)
}

/** The error for people when a port cannot be had. @param flag the option to change */
export function refusedPort(error: unknown, host: string, port: number, flag: string): UserError {
  const { code } = error as NodeJS.ErrnoException
  const other = code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL' ? '--host' : flag
  return new UserError(`cannot listen on ${host}:${port} (${code}); choose another with ${other}`)
}

function urlOf(server: Server): string {
  const address = server.address() as AddressInfo
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${name}:${address.port}`
}
