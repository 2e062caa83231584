import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Connections that are opened at the same time. The backlog of a server holds as many. */
const AT_ONCE = 500
const REQUEST = 'GET /hello HTTP/1.1\r\nhost: app\r\n\r\n'

/**
 * Opens connections that stay idle once each has had an answer, as those of clients that think between two requests.
 * @throws Error when one cannot be opened
 */
export async function openIdleConnections(url: string, count: number) {
  const sockets: Socket[] = []
  while (sockets.length < count) {
    const added = Array.from({ length: Math.min(AT_ONCE, count - sockets.length) }, () => open(url))
    sockets.push(...(await Promise.all(added)))
  }
  const countClosed = () => sockets.filter(({ readyState }) => readyState !== 'open').length
  return {
    countClosed,
    /** @throws Error when the app has closed some of them */
    check(): void {
      if (countClosed() > 0) throw new Error(`the app closed ${countClosed()} of ${count} idle connections`)
    },
    /** A reset leaves no port in TIME_WAIT. */
    close: () => sockets.forEach(socket => void socket.resetAndDestroy()),
  }
}

async function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.write(REQUEST)
  await once(socket, 'data')
  socket.on('error', () => {})
  return socket
}
