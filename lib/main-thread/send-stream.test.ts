import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { type BodyStream, sendStream } from './send-stream.ts'

/** A body whose maker says that no more chunks follow. */
class ToldBody extends Readable implements BodyStream {
  isComplete = false
  override _read() {}
  complete() {
    this.isComplete = true
    this.push(null)
  }
}

/** Counts how often a connection hands bytes to the system. */
function countWrites(socket: Socket): () => number {
  let writes = 0
  for (const name of ['_write', '_writev'] as const) {
    const write = (socket[name] as (...given: unknown[]) => void).bind(socket)
    socket[name] = (...given: unknown[]) => {
      writes++
      write(...given)
    }
  }
  return () => writes
}

/** Sends a body that `fill` adds chunks to, and says what arrived, and in how many pieces it was sent. */
async function sendBody(fill: (body: ToldBody) => void): Promise<{ text: string; writes: number }> {
  let writes = () => 0
  const server = createServer((_request, response) => {
    const body = new ToldBody()
    sendStream(response, body)
    fill(body)
  })
  server.on('connection', socket => {
    writes = countWrites(socket)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  try {
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    return { text: await answer.text(), writes: writes() }
  } finally {
    server.closeAllConnections()
    await once(server.close(), 'close')
  }
}

for (const size of [10, 100_000])
  test(`the end of a body leaves together with a last chunk of ${size} characters`, async () => {
    const chunk = 'x'.repeat(size)
    const { text, writes } = await sendBody(body => {
      body.push(chunk)
      body.complete()
    })
    assert.equal(text, chunk)
    assert.equal(writes, 1)
  })

test('chunks of a later turn are sent later, and then the end', async () => {
  const { text, writes } = await sendBody(body => {
    body.push('early ')
    setImmediate(() => {
      body.push('late')
      body.complete()
    })
  })
  assert.equal(text, 'early late')
  assert.equal(writes, 2)
})
