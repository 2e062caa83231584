import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { implementations, namesOf } from '../../app/concerns.ts'
import { manageConnections } from '../../app/server/http-rules.ts'
import { listen } from '../../lib/http/listen.ts'
import { createCalmService } from '../../test/calm-service.ts'
import { requireOpenFiles } from '../commands/run.ts'
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

for (const name of namesOf('framework'))
  test(`framework/${name} keeps idle connections open while others come and go`, async t => {
    const routes = [{ path: '/hello', handle: () => ({ contentType: 'text/plain', body: 'hello' }) }]
    const { createHttpServer } = await implementations.framework[name]()
    const server = await createHttpServer(await createCalmService({ routes }))
    manageConnections(server)
    const url = await listen(server, '127.0.0.1', 0)
    t.after(() => server.close())
    const idle = await openIdleConnections(url, 3)
    t.after(idle.close)
    for (let others = 0; others < 3; others++) {
      const answer = await fetch(`${url}/hello`, { headers: { connection: 'close' } })
      assert.equal(await answer.text(), 'hello')
    }
    const open = await promisify(server.getConnections.bind(server))()
    assert.ok(open >= 3, `${open} connections are open`)
    idle.check()
  })

test('refuses more connections than this machine lets a process open', () => {
  requireOpenFiles(10_000, 20_000)
  assert.throws(
    () => requireOpenFiles(10_000, 1024),
    /10000 connections need 10500 open files a process, and the limit is 1024/,
  )
})
