import { monotonicMs } from '../../units.ts'
import type { CallHandler, CallPool, Get } from './call-pool.ts'
import { GetConnection } from './get-connection.ts'

/** Servers of Node.js close a connection that is idle for 5 s. A request that crosses this end would fail. */
const IDLE_LIMIT_MS = 4000

/**
 * Makes GET requests over connections that are kept alive, one request at a time on each. It does less than a general
 * client such as undici: it has no pipelining, no TLS, and no time limits of its own.
 */
export class GetPool implements CallPool {
  readonly #origin: URL
  readonly #open = new Set<GetConnection>()
  /** Connections without a request, the one that was used last at the end. */
  readonly #idle: GetConnection[] = []

  /** @param origin an http: URL */
  constructor(origin: string) {
    this.#origin = new URL(origin)
  }

  dispatch({ path, headers }: Get, handler: CallHandler): void {
    const connection = this.#takeIdle() ?? this.#connect()
    let head = `GET ${path} HTTP/1.1\r\nhost: ${this.#origin.host}\r\n`
    for (const name in headers) head += `${name}: ${headers[name]}\r\n`
    connection.send(`${head}\r\n`, handler)
  }

  async close(): Promise<void> {
    for (const connection of this.#open) connection.destroy()
  }

  #takeIdle(): GetConnection | undefined {
    const usedAfterMs = monotonicMs() - IDLE_LIMIT_MS
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      if (idle.isOpen && idle.usedAtMs > usedAfterMs) return idle
      idle.destroy()
    }
    return undefined
  }

  #connect(): GetConnection {
    const connection: GetConnection = new GetConnection(this.#origin, {
      onFree: () => this.#idle.push(connection),
      onClosed: () => this.#open.delete(connection),
    })
    this.#open.add(connection)
    return connection
  }
}
