import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as ask, type IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { listen } from '../lib/http/listen.ts'
import { mainThreadQueue, WatchedQueue } from '../lib/main-thread/watched-queue.ts'
import { loggerOf } from '../lib/telemetry/logger.ts'
import { createCalmService } from '../test/calm-service.ts'
import { type Implementation, implementations, namesOf } from './concerns.ts'
import type { RequestContext } from './context.ts'
import type { Route, RouteAnswer } from './route.ts'
import { AdmissionControl } from './server/overload/admission.ts'
import { Refusals } from './server/overload/refusals.ts'
import { RequestHooks } from './server/request-hooks.ts'

const JSON_ANSWER: RouteAnswer = { contentType: 'application/json', body: '{}' }

/** Starts a service with a pool that the test can make congested, and a route whose answer the test makes. */
async function start(
  t: TestContext,
  framework: Implementation<'framework'>,
  { requestTimeoutMs = 60_000 } = {},
) {
  let oldestWaitMs = 0
  const logged: string[] = []
  const log = (message: string) => logged.push(message)
  const logger = loggerOf(() => log)
  const queue = new WatchedQueue({ workers: 1, oldestWaitMs: () => oldestWaitMs }, { runMs: 0 })
  const idle = new WatchedQueue(mainThreadQueue, { runMs: 0 })
  const refusals = new Refusals(logger)
  const asked: RequestContext[] = []
  const { promise: making, resolve: make } = Promise.withResolvers<RouteAnswer>()
  const routes: Route[] = [
    { path: '/light', handle: () => JSON_ANSWER },
    { path: '/heavy', needs: ['compute', 'upstream'], handle: () => JSON_ANSWER },
    {
      path: '/slow',
      needs: ['compute'],
      handle(_query, context) {
        asked.push(context)
        return making
      },
    },
  ]
  const admission = new AdmissionControl(
    { maxWaitMs: 1000, requestTimeoutMs: 2000, overload: 'refuse' },
    { compute: queue, rendering: idle, upstream: idle },
  )
  const service = await createCalmService({
    routes,
    logger,
    hooks: new RequestHooks({ admission, refusals }),
    requestTimeoutMs,
  })
  const { createHttpServer } = await implementations.framework[framework]()
  const server = await createHttpServer(service)
  const url = await listen(server, '127.0.0.1', 0)
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    logged,
    refusals,
    service,
    asked,
    make,
    congest: (waitMs: number) => {
      oldestWaitMs = waitMs
    },
    async get(path: string) {
      const [response] = await once(ask(url + path).end(), 'response')
      const headers = response.headers as IncomingHttpHeaders
      return { status: response.statusCode as number, headers, body: await text(response) }
    },
  }
}

for (const framework of namesOf('framework')) {
  describe(`the service by framework/${framework}`, () => {
    test('refuses requests that would wait too long, serves light ones, and recovers', async t => {
      const { get, congest, refusals, logged } = await start(t, framework)
      assert.equal((await get('/heavy')).status, 200)
      congest(2000)
      const { status, headers, body } = await get('/heavy')
      assert.equal(status, 503)
      assert.equal(headers['retry-after'], '1')
      assert.equal(headers['content-type'], 'application/problem+json; charset=utf-8')
      assert.equal(JSON.parse(body).code, 'OVERLOADED')
      assert.equal((await get('/heavy')).status, 503)
      assert.equal((await get('/light')).status, 200)
      congest(0)
      assert.equal((await get('/heavy')).status, 200)
      assert.deepEqual(logged, ['overloaded: requests are refused'], 'one line, not one a request')
      assert.deepEqual(await refusals.readPoints(), [
        { metric: 'app.requests.refused', value: 2, attributes: { 'app.congestion': 'compute' } },
      ])
    })

    test('answers 504 when the time budget of a request is spent, and stops the work for it', async t => {
      const { get, asked, make, service } = await start(t, framework, { requestTimeoutMs: 50 })
      const { status, body } = await get('/slow')
      assert.equal(status, 504)
      assert.equal(JSON.parse(body).code, 'ANSWER_LATE')
      assert.equal(asked[0]?.gone, true)
      const late = new Readable({ read() {} })
      make({ ...JSON_ANSWER, body: late })
      await once(late, 'close')
      await service.running.idle()
    })
  })
}
