import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { UserError } from '../cli/user-error.ts'

interface ListenOptions {
  /** The option that a refusal tells to change. */
  readonly flag?: string
  /**
   * Who gives connections to several servers of one port: the primary of `node:cluster` to its processes, or the kernel
   * to the threads of one process (SO_REUSEPORT); with `none`, each server has a port of its own.
   */
  readonly sharing?: 'cluster' | 'kernel' | 'none'
  /** A bound socket to listen on, in place of host and port. */
  readonly fd?: number | undefined
}

/**
 * Listens and returns the base URL, such as `http://127.0.0.1:3000`.
 * @throws UserError when the port is taken or not permitted
 */
export async function listen(
  server: Server,
  host: string,
  port: number,
  { flag = '--port', sharing = 'cluster', fd }: ListenOptions = {},
): Promise<string> {
  if (fd !== undefined) return listenOnDescriptor(server, fd)
  server.listen({ port, host, exclusive: sharing === 'none', reusePort: sharing === 'kernel' })
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
async function listenOnDescriptor(server: Server, fd: number): Promise<string> {
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

/** The option that the message of an error names, unless the error is about the port. */
const options: Readonly<Record<string, string>> = {
  ENOTFOUND: '--host',
  EADDRNOTAVAIL: '--host',
  // This system gives connections to no more than one of the servers of a port.
  ENOTSUP: '--instances-as',
}

/** The error for people when a port cannot be had. @param flag the option to change */
export function refusedPort(error: unknown, host: string, port: number, flag: string): UserError {
  const { code } = error as NodeJS.ErrnoException
  const other = options[code ?? ''] ?? flag
  return new UserError(`cannot listen on ${host}:${port} (${code}); choose another with ${other}`)
}

function urlOf(server: Server): string {
  const address = server.address() as AddressInfo
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${name}:${address.port}`
}
