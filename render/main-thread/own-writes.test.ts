import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { sendBehindMiddleware } from './own-writes.ts'

test('a body ends behind middleware that drops callbacks and never says that it takes more', async t => {
  const kept: Uint8Array[] = []
  const server = createServer((_request, response) => {
    const { write, emit } = response
    response.write = (chunk: Uint8Array) => {
      kept.push(chunk)
      write.call(response, chunk, 'utf8')
      return false
    }
    response.emit = (name: string, ...args: unknown[]) =>
      name !== 'drain' && emit.call(response, name, ...args)
    const chunks = Array.from({ length: 3 }, () => Buffer.alloc(100_000, 'x'))
    sendBehindMiddleware(response, Readable.from(chunks))
  })
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  assert.equal((await answer.text()).length, 300_000)
  assert.equal(Buffer.concat(kept).length, 300_000)
})
