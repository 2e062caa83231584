import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { describe, type TestContext, test } from 'node:test'
import { mainThreadQueue, WatchedQueue } from '../lib/main-thread/watched-queue.ts'
import { loggerOf } from '../lib/telemetry/logger.ts'
import { serve } from '../test/calm-service.ts'
import type { RequestContext } from './context.ts'
import type { Route, RouteAnswer } from './route.ts'
import { AdmissionControl } from './server/overload/admission.ts'
import { Refusals } from './server/overload/refusals.ts'
import { RequestHooks } from './server/request-hooks.ts'

const JSON_ANSWER: RouteAnswer = { contentType: 'application/json', body: '{}' }

/** Starts a service with a pool that the test can make congested, and a route whose answer the test makes. */
async function start(t: TestContext, { requestTimeoutMs = 60_000 } = {}) {
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
  const hooks = new RequestHooks({ admission, refusals })
  const { service, url } = await serve(t, 'http', { routes, logger, hooks, requestTimeoutMs })
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
      const response = await fetch(url + path)
      const { code } = (await response.json()) as { code?: string }
      return { status: response.status, headers: response.headers, code }
    },
  }
}

describe('the service', () => {
  test('refuses requests that would wait too long, serves light ones, and recovers', async t => {
    const { get, congest, refusals, logged } = await start(t)
    assert.equal((await get('/heavy')).status, 200)
    congest(2000)
    const { status, headers, code } = await get('/heavy')
    assert.deepEqual([status, headers.get('retry-after'), code], [503, '1', 'OVERLOADED'])
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
    const { get, asked, make, service } = await start(t, { requestTimeoutMs: 50 })
    const { status, code } = await get('/slow')
    assert.deepEqual([status, code], [504, 'ANSWER_LATE'])
    assert.equal(asked[0]?.gone, true)
    const late = new Readable({ read() {} })
    make({ ...JSON_ANSWER, body: late })
    await once(late, 'close')
    await service.running.idle()
  })
})
