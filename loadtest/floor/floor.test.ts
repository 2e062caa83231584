import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { JSON_TYPE } from '../../app/concerns/serialization/contract.ts'
import { implementations, namesOf } from '../../app/concerns.ts'
import { manageConnections } from '../../app/connections.ts'
import { listen } from '../../lib/listen.ts'
import { createCalmService } from '../../test/calm-service.ts'
import { scenarios } from '../generator/scenarios.ts'
import { createFloorServer } from './server.ts'

/** @returns the head and the body that a server answers, without the date */
async function ask(t: TestContext, server: Server, path: string) {
  const url = await listen(server, '127.0.0.1', 0)
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const request = get(url + path, { headers: { connection: 'keep-alive' } })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const { date, ...headers } = response.headers
  return { status: response.statusCode, headers, body: await text(response) }
}

describe('the floor', () => {
  for (const framework of namesOf('framework')) {
    test(`answers with the same head and body as framework/${framework}`, async t => {
      const [path, body] = ['/hello', scenarios.hello.body()]
      const routes = [{ path, handle: () => ({ contentType: JSON_TYPE, body }) }]
      const { createHttpServer } = await implementations.framework[framework]()
      const server = await createHttpServer(await createCalmService({ routes }))
      manageConnections(server)
      assert.deepEqual(await ask(t, createFloorServer(scenarios.hello), path), await ask(t, server, path))
    })
  }

  test('answers every request of a scenario with its right body, and no other', async t => {
    const few = { ...scenarios.demo, seeds: 2 }
    const { status, body } = await ask(t, createFloorServer(few), few.path(2))
    assert.deepEqual([status, body], [200, few.body(2)])
    assert.equal((await ask(t, createFloorServer(few), few.path(3))).status, 404)
  })
})
