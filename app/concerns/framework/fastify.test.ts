import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listen } from '../../../lib/http/listen.ts'
import { createCalmService } from '../../../test/calm-service.ts'
import { createFastify, serverOf } from './fastify.ts'

const routes = [
  { path: '/echo', handle: (raw: object) => ({ contentType: 'text/plain', body: JSON.stringify(raw) }) },
]

test('Fastify answers injected requests without a port', async t => {
  const app = createFastify(await createCalmService({ routes }))
  t.after(() => app.close())
  const { statusCode, headers, body } = await app.inject('/echo?a=1')
  assert.deepEqual([statusCode, headers['content-type'], body], [200, 'text/plain', '{"a":"1"}'])
  assert.equal((await app.inject('/nowhere')).statusCode, 404)
})

test('the hooks of Fastify run when the app has stopped the server', async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  const app = createFastify(await createCalmService({ routes }))
  app.addHook('onClose', async () => resolve())
  const server = await serverOf(app)
  await listen(server, '127.0.0.1', 0)
  server.close()
  await closed
})
