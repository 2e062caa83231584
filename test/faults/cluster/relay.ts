import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * The cable of a machine: passes connections on, and delays the bytes of one direction. Its arguments are the address and port of the
 * server, and the delay in milliseconds. It sends its port once it takes connections. While it is stopped by SIGSTOP, nothing passes,
 * and neither end is told.
 */
const [host, port, delayMs] = process.argv.slice(2) as [string, string, string]

const relay = createServer(client => {
  const server = connect(Number(port), host)
  client.setNoDelay()
  server.setNoDelay()
  client.on('data', data => server.write(data))
  server.on('data', data => setTimeout(() => client.write(data), Number(delayMs)))
  endTogether(client, server)
}).listen(0, '127.0.0.1', () => process.send?.((relay.address() as AddressInfo).port))

process.on('disconnect', () => process.exit())

function endTogether(...ends: readonly Socket[]): void {
  for (const end of ends) {
    end.on('error', () => {})
    end.on('close', () => {
      for (const each of ends) each.destroy()
    })
  }
}
