import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { lastStep } from '../../../app/steps.ts'
import { expectedDemo } from '../../../loadtest/generator/expected.ts'
import { startLoggingStack } from '../logging-stack.ts'
import { exchange } from './answers.ts'
import { Draw } from './draw.ts'

const REQUEST = Buffer.from('GET /demo?seed=7 HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')
const STATUS = /^HTTP\/1\.1 (\d{3}) /

/**
 * Clients that send half a request and wait, send byte by byte, or close their side at once: the others are answered.
 * @param untilTheEnd whether to wait until the server is tired of those that wait
 * @returns how many connections were tried
 */
export async function stall(
  directory: string,
  inputs: number,
  seed: number,
  untilTheEnd: boolean,
): Promise<number> {
  const stack = await startLoggingStack(directory, { composition: lastStep.composition })
  try {
    const url = stack.address('app')
    const port = Number(new URL(url).port)
    const draw = new Draw(seed)
    const open = () => connect(port, '127.0.0.1')
    const waiting = Array.from({ length: inputs }, () => {
      const socket = open()
      socket.on('error', () => {})
      // Without a byte of a request nothing is timed: such a connection is idle.
      socket.write(REQUEST.subarray(0, 1 + draw.below(REQUEST.length - 1)))
      return socket
    })
    const ended = waiting.map(async socket => {
      const [chunk] = await once(socket, 'data')
      socket.destroy()
      return Number(STATUS.exec(String(chunk))?.[1])
    })
    for (let input = 0; input < inputs; input++) {
      // To Node.js such a client is gone: it is answered whole, or not at all.
      const answer = (await exchange(open, REQUEST)).toString()
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
