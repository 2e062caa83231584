import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { listen } from '../../lib/http/listen.ts'
import { requireOpenFiles } from '../sample/open-files.ts'
import { openIdleConnections } from './idle-connections.ts'

test('idle connections stay open, send one request each, and a closed one is told', async t => {
  const sockets: Socket[] = []
  const asked: unknown[] = []
  const server = createServer(({ url }, response) => {
    asked.push(url)
    response.end('hello')
  })
  server.on('connection', socket => sockets.push(socket))
  const url = await listen(server, '127.0.0.1', 0)
  t.after(() => server.close())
  const idle = await openIdleConnections(url, 3)
  t.after(idle.close)
  idle.check()
  assert.deepEqual(asked, ['/hello', '/hello', '/hello'])
  const [first] = sockets as [Socket]
  first.destroy()
  await once(first, 'close')
  while (idle.countClosed() === 0) await turn()
  assert.throws(() => idle.check(), /the app closed 1 of 3 idle connections/)
})

test('refuses more connections than this machine lets a process open', () => {
  requireOpenFiles(10_000, 20_000)
  assert.throws(
    () => requireOpenFiles(10_000, 1024),
    /10000 connections need 10500 open files a process, and the limit is 1024/,
  )
})
