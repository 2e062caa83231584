import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { UserError } from '../cli/user-error.ts'

interface ListenOptions {
  /** The option that a refusal tells to change. */
  readonly flag?: string
  /**
   * Who gives connections to several servers of one port: the primary of `node:cluster` to its processes, or the kernel
   * to the threads of one process (SO_REUSEPORT); with `none`, each server has a port of its own.
   */
  readonly sharing?: 'cluster' | 'kernel' | 'none'
  /**
   * A bound socket to listen on, in place of host and port, with which this process was started. Processes that share it accept
   * connections by chance, and none is lost as long as one of them has it open.
   */
  readonly fd?: number | undefined
}

/**
 * Listens and returns the base URL, such as `http://127.0.0.1:3000`.
 * @throws UserError when the port is taken or not permitted, or the file descriptor is no socket to listen on
 */
export async function listen(
  server: Server,
  host: string,
  port: number,
  { flag = '--port', sharing = 'cluster', fd }: ListenOptions = {},
): Promise<string> {
  const place = { port, host, exclusive: sharing === 'none', reusePort: sharing === 'kernel' }
  server.listen(fd === undefined ? place : { fd })
  try {
    await once(server, 'listening')
  } catch (error) {
    if (fd === undefined) throw refusedPort(error, host, port, flag)
    throw refused(error, `the file descriptor ${fd}`, '--listen-fd')
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
export const refusedPort = (error: unknown, host: string, port: number, flag: string): UserError =>
  refused(error, `${host}:${port}`, flag)

function refused(error: unknown, place: string, flag: string): UserError {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  return new UserError(`cannot listen on ${place} (${code}); choose another with ${options[code] ?? flag}`)
}

function urlOf(server: Server): string {
  const address = server.address() as AddressInfo
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${name}:${address.port}`
}

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
