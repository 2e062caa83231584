import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, createServer, type ListenOptions, Server as NetServer } from 'node:net'
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'
import { UserError } from '../cli/user-error.ts'
import { afterRunning } from '../os/running-time.ts'

interface HowToListen extends Pick<ListenOptions, 'exclusive' | 'reusePort'> {
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
