import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * Passes connections on, and delays the bytes of one direction, where the kernel cannot delay packets. Its arguments are
 * its port, or 0 for a free one, the address and port of the server, and the delay. It sends the port that it has.
 */
const [port, host, serverPort, delayMs] = process.argv.slice(2) as [string, string, string, string]

/** The shortest time that a timer of Node.js waits. */
const LEAST_TIMER_MS = 1
const nothing = new Int32Array(new SharedArrayBuffer(4))

/** Bytes that come while this thread sleeps wait for their own delay too, so under load it may become twice as long. */
function passLater(pass: () => void): void {
  if (Number(delayMs) >= LEAST_TIMER_MS) return void setTimeout(pass, Number(delayMs))
  Atomics.wait(nothing, 0, 0, Number(delayMs))
  pass()
}

const relay = createServer(client => {
  const server = connect(Number(serverPort), host)
  client.setNoDelay()
  server.setNoDelay()
  client.on('data', data => server.write(data))
  server.on('data', data => passLater(() => client.write(data)))
  endTogether(client, server)
}).listen(Number(port), '127.0.0.1', () => process.send?.((relay.address() as AddressInfo).port))

process.on('disconnect', () => process.exit())

function endTogether(...ends: readonly Socket[]): void {
  for (const end of ends) {
    end.on('error', () => {})
    end.on('close', () => {
      for (const each of ends) each.destroy()
    })
  }
}
