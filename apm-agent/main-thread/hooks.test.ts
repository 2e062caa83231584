import assert from 'node:assert/strict'
import { channel } from 'node:diagnostics_channel'
import { test } from 'node:test'
import { runInstrumented } from './instrumented.fixture.ts'
import type { Answer } from './recorder.ts'
import { followFastify, routeOf } from './routes.ts'

followFastify()

const throwing = (name: string) => Object.defineProperty({}, name, { get: () => assert.fail() })

test('a request to any version of Fastify goes on, and has the route that it tells', () => {
  for (const [request, route] of [
    [{ routeOptions: { url: '/orders/:id' } }, '/orders/:id'],
    [{ routeOptions: { url: undefined } }, undefined],
    [{}, undefined],
    [throwing('routeOptions'), undefined],
  ] as const) {
    const raw = { req: {} } as Answer
    let goesOn = 0
    const addHook = (_: string, hook: (...args: unknown[]) => void) => hook(request, { raw }, () => goesOn++)
    channel('fastify.initialization').publish({ fastify: { addHook } })
    assert.deepEqual([goesOn, routeOf(raw)], [1, route])
  }
})

test('a request has the route of Express, and none of what other routers leave on it', () => {
  for (const [req, route] of [
    [{ baseUrl: '/api', route: { path: '/orders/:id' } }, '/api/orders/:id'],
    [{ baseUrl: {}, route: { path: '/orders/:id' } }, '/orders/:id'],
    [{ route: '/orders/7' }, undefined],
    [{ route: null }, undefined],
    [{ route: { path: /orders/ } }, undefined],
    [throwing('route'), undefined],
  ] as const)
    assert.equal(routeOf({ req } as Answer), route)
})

test('a Fastify that takes no hooks, and calls of an unknown undici, are said, and end nothing', async t => {
  const { mock } = t.mock.method(process.stderr, 'write', () => true)
  channel('fastify.initialization').publish({ fastify: {} })
  const lacks = /^apm-agent: telemetry lacks what fastify.initialization reports/
  assert.match(String(mock.calls[0]?.arguments[0]), lacks)
  mock.restore()
  const { stderr } = await runInstrumented(
    t,
    `import { channel } from 'node:diagnostics_channel'
    const create = request => channel('undici:request:create').publish({ request })
    create({ origin: 'http://a', method: 'GET', headers: null })
    create(undefined)`,
  )
  assert.match(stderr, /^apm-agent: telemetry lacks what undici:request:create reports [^\n]+\n$/)
})
