import { connect, createServer, type Socket } from 'node:net'

/**
 * Passes connections on, and delays the bytes of one direction, where the kernel cannot delay packets. Its arguments are its port,
 * the address and port of the server, and the delay in milliseconds. It sends a message once it takes connections.
 */
const [port, host, serverPort, delayMs] = process.argv.slice(2) as [string, string, string, string]

createServer(client => {
  const server = connect(Number(serverPort), host)
  client.setNoDelay()
  server.setNoDelay()
  client.on('data', data => server.write(data))
  server.on('data', data => setTimeout(() => client.write(data), Number(delayMs)))
  endTogether(client, server)
}).listen(Number(port), '127.0.0.1', () => process.send?.('listening'))

process.on('disconnect', () => process.exit())

function endTogether(...ends: readonly Socket[]): void {
  for (const end of ends) {
    end.on('error', () => {})
    end.on('close', () => {
      for (const each of ends) each.destroy()
    })
  }
}
