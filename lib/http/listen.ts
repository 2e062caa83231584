import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, createServer, type ListenOptions } from 'node:net'
import { UserError } from '../cli/user-error.ts'
import { afterRunning } from '../os/running-time.ts'
import { takeLateRequests } from './late-requests.ts'

interface HowToListen extends Pick<ListenOptions, 'exclusive'> {
  /** A bound socket to listen on, in place of host and port. */
  readonly fd?: number | undefined
  /** The option that a refusal tells to change. */
  readonly flag?: string
}

/**
 * Listens and returns the base URL, such as `http://127.0.0.1:3000`.
 * @throws UserError when the port is taken or not permitted, or the file descriptor is no socket to listen on
 */
export async function listen(
  server: Server,
  host: string,
  port: number,
  { flag = '--port', ...how }: HowToListen = {},
): Promise<string> {
  server.listen({ port, host, ...how })
  try {
    await once(server, 'listening')
  } catch (error) {
    if (how.fd === undefined) throw refusedPort(error, host, port, flag)
    throw refused(error, `the file descriptor ${how.fd}`, '--listen-fd')
  }
  return urlOf(server)
}

/** The option that the message of an error names, unless the error is about the port. */
const options: Readonly<Record<string, string>> = {
  ENOTFOUND: '--host',
  EADDRNOTAVAIL: '--host',
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

interface ClosingOptions {
  readonly drainMs?: number
  /** How long idle connections stay open. */
  readonly arrivalMs?: number
}

/**
 * Stops accepting connections, lets running requests finish, and then closes idle connections. Requests that still run after `drainMs`
 * are cut off; only time in which this process ran is counted.
 */
export async function closeServer(server: Server, options: ClosingOptions = {}): Promise<void> {
  const closed = once(server, 'close')
  const cancelCutOff = afterRunning(options.drainMs ?? 10_000, () => server.closeAllConnections())
  await takeLateRequests(server, closed, options.arrivalMs)
  server.close()
  await closed
  cancelCutOff()
}
