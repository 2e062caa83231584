import { connect } from 'node:net'

const LIMIT_MS = 2000
const PORT_OF_PROTOCOL: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

/**
 * Says in one line when the upstream is not there at the start; the app serves what does not need it. By a bare connection:
 * a request would be traced as one of a client's.
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
