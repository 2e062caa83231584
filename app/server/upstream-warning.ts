import { connect } from 'node:net'

const LIMIT_MS = 2000
const PORT_OF_PROTOCOL: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

/**
 * Writes a one-line warning if the upstream is unreachable at the start. The app still serves the routes that do not
 * need it. A bare connection is used, because a request would be traced like one of a client.
 */
export function warnWithoutUpstream(url: string): void {
  const { protocol, hostname, port } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const socket = connect({
    host,
    port: Number(port || PORT_OF_PROTOCOL[protocol]),
    timeout: LIMIT_MS,
  }).unref()
  const warn = (why: string) =>
    process.stderr.write(
      `app: the upstream ${url} does not answer (${why}); requests that need it fail until it does\n`,
    )
  socket.once('connect', () => socket.destroy())
  socket.once('timeout', () => socket.destroy(Object.assign(new Error(), { code: 'ETIMEDOUT' })))
  socket.once('error', (error: NodeJS.ErrnoException) => warn(error.code ?? error.message))
}
