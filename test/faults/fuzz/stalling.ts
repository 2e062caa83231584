import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { expectedDemo } from '../../../loadtest/generator/expected.ts'
import { startLoggingStack } from '../loaded-stack.ts'
import { readAll } from './answers.ts'
import { Draw } from './draw.ts'

const REQUEST = Buffer.from('GET /demo?seed=7 HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')
const STATUS = /^HTTP\/1\.1 (\d{3}) /

/**
 * Connects clients that send half a request and wait, send byte by byte, or close their side at once. Other clients must
 * be answered meanwhile.
 * @param untilTheEnd whether to wait until the server closes the connections of clients that wait
 * @returns the number of connections
 */
export async function stall(
  directory: string,
  inputs: number,
  seed: number,
  untilTheEnd: boolean,
): Promise<number> {
  const stack = await startLoggingStack(directory)
  try {
    const url = stack.address('app')
    const port = Number(new URL(url).port)
    const draw = new Draw(seed)
    const open = () => connect(port, '127.0.0.1')
    const waiting = Array.from({ length: inputs }, () => {
      const socket = open()
      socket.on('error', () => {})
      // The server starts its timer with the first byte of a request. Before that the connection is idle.
      socket.write(REQUEST.subarray(0, 1 + draw.below(REQUEST.length - 1)))
      return socket
    })
    const ended = waiting.map(async socket => {
      const [chunk] = await once(socket, 'data')
      socket.destroy()
      return Number(STATUS.exec(String(chunk))?.[1])
    })
    for (let input = 0; input < inputs; input++) {
      // For Node.js such a client is gone. It gets a whole answer or none.
      const answer = (await readAll(open().end(REQUEST))).toString()
      assert.ok(answer === '' || answer.endsWith(expectedDemo(7)), answer)
    }
    const bytewise = open()
    const answered = once(bytewise, 'data')
    for (const byte of REQUEST) {
      bytewise.write(Buffer.of(byte))
      await new Promise(resolve => setImmediate(resolve))
    }
    assert.match(String((await answered)[0]), /^HTTP\/1\.1 200 /)
    assert.equal(await (await fetch(`${url}/demo?seed=7`)).text(), expectedDemo(7))
    if (untilTheEnd) assert.deepEqual(new Set(await Promise.all(ended)), new Set([408]))
    else for (const socket of waiting) socket.destroy()
    return 2 * inputs + 1
  } finally {
    await stack.stop()
  }
}
