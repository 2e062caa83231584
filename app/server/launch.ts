import { connect } from 'node:net'
import type { AppConfig } from '../config.ts'

/**
 * Starts the app as several instances, if that is asked for. Their primary serves no requests, so it does not load the code of the
 * service.
 * @returns false if this process is to serve
 */
export async function isLaunched({ uvThreads, ...config }: AppConfig): Promise<boolean> {
  // libuv reads UV_THREADPOOL_SIZE when its pool is used for the first time, which is later.
  if (uvThreads !== undefined) process.env.UV_THREADPOOL_SIZE = String(uvThreads)
  if (config.instances === 1) return false
  const { runInstances } = await import('./instances/primary.ts')
  await runInstances({ uvThreads, ...config }, () => warnWithoutUpstream(config.ordersUrl))
  return true
}

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
