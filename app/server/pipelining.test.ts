import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { listen } from '../../lib/http/listen.ts'
import { createCalmService } from '../../test/calm-service.ts'
import { implementations, namesOf } from '../concerns.ts'
import { limitPipelining } from './pipelining.ts'

/** More than one read brings. */
const REQUESTS = 2000
/** The first request of a connection, and those that may be behind it. */
const AT_WORK = 1 + 8

const requests = (count: number) =>
  Array.from({ length: count }, (_, index) => `GET /echo?n=${index} HTTP/1.1\r\nHost: a\r\n\r\n`).join('')

/** Reads the bodies of all answers until the last one has come. Each body is one line. */
async function readBodies(socket: Socket, count: number): Promise<number[]> {
  const numbers: number[] = []
  let rest = ''
  for await (const chunk of socket.setEncoding('latin1')) {
    rest += chunk
    for (const [, number] of rest.matchAll(/n(\d+)\n/g)) numbers.push(Number(number))
    rest = rest.slice(rest.lastIndexOf('\n') + 1)
    if (numbers.length >= count) break
  }
  return numbers
}

for (const name of namesOf('framework')) {
  test(`framework/${name}: a client that pipelines gets all answers in order`, async t => {
    const service = await createCalmService({
      routes: [
        {
          path: '/echo',
          async handle({ n }) {
            // Every third answer is late, so that the order is not that of the work.
            if (Number(n) % 3 === 0) await turn()
            return { contentType: 'text/plain; charset=utf-8', body: `n${n}\n` }
          },
        },
      ],
    })
    const { createHttpServer } = await implementations.framework[name]()
    const server = await createHttpServer(service)
    limitPipelining(server)
    const { port } = new URL(await listen(server, '127.0.0.1', 0))
    t.after(() => {
      server.close()
      server.closeAllConnections()
    })
    const client = connect(Number(port))
    client.write(requests(REQUESTS))
    const bodies = await readBodies(client, REQUESTS)
    assert.deepEqual(
      bodies,
      Array.from({ length: REQUESTS }, (_, index) => index),
    )
  })
}

/** A server that answers only when the test does. */
async function startSilent(t: TestContext) {
  const atWork: ServerResponse[] = []
  const server = createServer((request, response) => {
    if (request.url === '/hello') response.end('hello')
    else atWork.push(response)
  })
  limitPipelining(server)
  const url = await listen(server, '127.0.0.1', 0)
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const open = () => {
    const socket = connect(Number(new URL(url).port)).on('error', () => {})
    t.after(() => socket.destroy())
    return socket
  }
  const hello = async () => {
    const [response] = await once(get(`${url}/hello`), 'response')
    return text(response)
  }
  return { server, atWork, open, hello }
}

describe('a connection that pipelines', () => {
  test('has few requests at work, and begins others when these are answered', async t => {
    const { atWork, open, hello } = await startSilent(t)
    open().write(requests(REQUESTS))
    while (atWork.length === 0) await turn()
    assert.equal(await hello(), 'hello', 'other clients are served')
    assert.equal(atWork.length, AT_WORK)
    for (const response of atWork.splice(0)) response.end()
    while (atWork.length < AT_WORK) await turn()
    await hello()
    assert.equal(atWork.length, AT_WORK)
  })

  test('is not read from while requests wait', async t => {
    const { server, atWork, open, hello } = await startSilent(t)
    const [[accepted]] = await Promise.all([once(server, 'connection'), open().write(requests(100_000))])
    while (atWork.length === 0) await turn()
    const { bytesRead } = accepted as Socket
    // Each answer makes node:http read on, if nothing stops it.
    for (let round = 0; round < 10; round++) {
      for (const response of atWork.splice(0)) response.end()
      await hello()
    }
    assert.equal((accepted as Socket).bytesRead, bytesRead)
  })

  test('is refused when it sends something else later', async t => {
    const { atWork, open } = await startSilent(t)
    const socket = open()
    socket.write(`${requests(20)}nonsense\r\n\r\n`)
    let received = ''
    socket.setEncoding('latin1').on('data', chunk => {
      received += chunk
    })
    const ended = once(socket, 'end')
    const timer = setInterval(() => {
      for (const response of atWork.splice(0)) response.end()
    })
    await ended
    clearInterval(timer)
    const statuses = Array.from(received.matchAll(/HTTP\/1.1 (\d+)/g), ([, status]) => status)
    assert.ok(statuses.length > AT_WORK, `${statuses.length} answers`)
    assert.equal(statuses.at(-1), '400')
  })
})
