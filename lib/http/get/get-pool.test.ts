import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { GetPool } from './get-pool.ts'

const HELLO = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'
const CHUNKED = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'

/** Answers, each with the result of the call, and the number of connections that two calls then take. */
const answers: Readonly<Record<string, { sent: string; result: string; connections: number }>> = {
  'a body with a length': { sent: HELLO, result: '200 hello', connections: 1 },
  'no body': { sent: 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n', result: '200 ', connections: 1 },
  'status 204 without a length': { sent: 'HTTP/1.1 204 No Content\r\n\r\n', result: '204 ', connections: 1 },
  'an interim response': {
    sent: `HTTP/1.1 103 Early Hints\r\na: b\r\n\r\n${HELLO}`,
    result: '200 hello',
    connections: 1,
  },
  'a body in chunks': {
    sent: `${CHUNKED}2\r\nhe\r\n3;a=b\r\nllo\r\n0\r\na: b\r\n\r\n`,
    result: '200 hello',
    connections: 1,
  },
  'a connection that is to be closed': {
    sent: HELLO.replace('OK\r\n', 'OK\r\nConnection: close\r\n'),
    result: '200 hello',
    connections: 2,
  },
  'HTTP/1.0': { sent: HELLO.replace('1.1', '1.0'), result: '200 hello', connections: 2 },
  'bytes behind the body': { sent: `${HELLO}HTTP/1.1 200 OK\r\n`, result: '200 hello', connections: 2 },
  'an error': { sent: HELLO.replace('200', '500'), result: '500 hello', connections: 1 },
  'no HTTP': { sent: 'hello\r\n\r\n', result: 'the answer is not HTTP/1', connections: 2 },
  'no HTTP and no end of a head': {
    sent: 'hello',
    result: 'the answer is not HTTP/1',
    connections: 2,
  },
  'another protocol': {
    sent: 'HTTP/1.1 101 Switching Protocols\r\n\r\n',
    result: 'the answer is not HTTP/1',
    connections: 2,
  },
  'an endless head': {
    sent: `HTTP/1.1 200 OK\r\na: ${'b'.repeat(20_000)}`,
    result: 'the head of the answer is too long',
    connections: 2,
  },
  'a length that is no number': {
    sent: HELLO.replace('5', '+5'),
    result: 'the answer has no valid length',
    connections: 2,
  },
  'two lengths': {
    sent: HELLO.replace('OK\r\n', 'OK\r\ncontent-length: 4\r\n'),
    result: 'the answer has no valid length',
    connections: 2,
  },
  'a length and chunks': {
    sent: `${CHUNKED.slice(0, -2)}content-length: 5\r\n\r\n0\r\n\r\n`,
    result: 'the body of the answer has no clear end',
    connections: 2,
  },
  'malformed chunks': {
    sent: `${CHUNKED}5\r\nhelloo\r\n0\r\n\r\n`,
    result: 'the chunks of the answer are malformed',
    connections: 2,
  },
}

async function start(t: TestContext, answer: (socket: Socket) => void) {
  let connections = 0
  const server = createServer(socket => {
    connections++
    socket
      .setNoDelay()
      .on('error', () => {})
      .on('data', () => answer(socket))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const pool = new GetPool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  t.after(async () => {
    await pool.close()
    server.close()
  })
  const get = () =>
    new Promise<string>(resolve => {
      let text = ''
      pool.dispatch(
        { method: 'GET', path: '/', headers: { a: 'b' } },
        {
          onRequestStart() {},
          onResponseStart: (_, status) => {
            text = `${status} `
          },
          onResponseData: (_, chunk) => {
            text += chunk
          },
          onResponseEnd: () => resolve(text),
          onResponseError: (_, { message }) => resolve(message),
        },
      )
    })
  return { get, connections: () => connections }
}

describe('GetPool', () => {
  for (const [name, { sent, result, connections }] of Object.entries(answers)) {
    test(`takes ${name}`, async t => {
      const pool = await start(t, socket => socket.write(sent))
      assert.deepEqual(
        [await pool.get(), await pool.get(), pool.connections()],
        [result, result, connections],
      )
    })

    test(`takes ${name}, however it is divided`, async t => {
      let cut = 0
      const pool = await start(t, socket => {
        socket.write(sent.slice(0, cut))
        setImmediate(() => socket.write(sent.slice(cut)))
      })
      const step = Math.ceil(sent.length / 150)
      for (cut = 1; cut < sent.length; cut += step) assert.equal(await pool.get(), result, `cut at ${cut}`)
    })
  }

  test('takes a body that ends with its connection', async t => {
    const { get } = await start(t, socket => socket.end('HTTP/1.1 200 OK\r\n\r\nhello'))
    assert.equal(await get(), '200 hello')
  })

  test('fails if the connection ends before the answer does', async t => {
    const { get } = await start(t, socket => socket.end(HELLO.slice(0, -1)))
    assert.equal(await get(), 'the connection ended before the answer')
  })

  test('does not use a connection again that was closed meanwhile', async t => {
    const closed: Promise<unknown>[] = []
    const { get, connections } = await start(t, socket => {
      socket.write(HELLO)
      closed.push(once(socket, 'close'))
      setImmediate(() => socket.end())
    })
    await get()
    await closed[0]
    assert.deepEqual([await get(), connections()], ['200 hello', 2])
  })
})
