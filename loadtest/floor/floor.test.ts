import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { JSON_TYPE } from '../../app/concerns/serialization/contract.ts'
import { implementations, namesOf } from '../../app/concerns.ts'
import { pageHeaders } from '../../app/pages/page-handler.ts'
import { manageConnections } from '../../app/server/http-rules.ts'
import { listen } from '../../lib/http/listen.ts'
import { PAGE_TYPE } from '../../lib/http/respond.ts'
import { createCalmService } from '../../test/calm-service.ts'
import { NONCE } from '../generator/expected-page.ts'
import { scenarios } from '../generator/scenarios.ts'
import { startHop } from './hop.ts'
import { createFloorServer, createHopServer, makeAnswers, readyPage } from './server.ts'

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

/** Answers of the app, with the floor that sends the same. */
const answers = {
  '/hello': {
    answer: { contentType: JSON_TYPE, body: scenarios.hello.body() },
    createFloor: () => createFloorServer(makeAnswers(scenarios.hello)),
  },
  '/page?seed=1': {
    answer: {
      contentType: PAGE_TYPE,
      headers: pageHeaders(NONCE),
      body: Buffer.from(scenarios.page.body(1)),
    },
    createFloor: () => createFloorServer(makeAnswers({ ...scenarios.page, seeds: 1 }, readyPage)),
  },
} as const

describe('the floor', () => {
  for (const framework of namesOf('framework')) {
    for (const [url, { answer, createFloor }] of Object.entries(answers)) {
      test(`answers ${url} with the same head and body as framework/${framework}`, async t => {
        const routes = [{ path: url.replace(/\?.*/, ''), handle: () => answer }]
        const { createHttpServer } = await implementations.framework[framework]()
        const server = await createHttpServer(await createCalmService({ routes }))
        manageConnections(server)
        assert.deepEqual(await ask(t, createFloor(), url), await ask(t, server, url))
      })
    }
  }

  test('answers the same with a hop, whose threads make the bodies', async t => {
    const few = { ...scenarios.demo, seeds: 2 }
    const answers = makeAnswers(few)
    const { queue, close } = startHop(1, { scenario: 'demo', priority: 0 })
    t.after(close)
    const ready = await ask(t, createFloorServer(answers), few.path(2))
    assert.deepEqual(await ask(t, createHopServer(answers, queue), few.path(2)), ready)
    assert.equal((await ask(t, createHopServer(answers, queue), few.path(3))).status, 404)
  })

  test('answers every request of a scenario with its right body, and no other', async t => {
    const few = { ...scenarios.demo, seeds: 2 }
    const answers = makeAnswers(few)
    const { status, body } = await ask(t, createFloorServer(answers), few.path(2))
    assert.deepEqual([status, body], [200, few.body(2)])
    assert.equal((await ask(t, createFloorServer(answers), few.path(3))).status, 404)
  })
})
