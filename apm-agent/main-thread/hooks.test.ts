import assert from 'node:assert/strict'
import { channel } from 'node:diagnostics_channel'
import { test } from 'node:test'
import { runInstrumented } from './instrumented.fixture.ts'
import type { Answer } from './recorder.ts'
import { followFastify, routeOf } from './routes.ts'

followFastify()

/** The parts of a request and a reply of Fastify from which its versions tell the route. */
const versions: Readonly<
  Record<string, readonly [request: object, reply: object, route: string | undefined]>
> = {
  'Fastify 5': [{ routeOptions: { url: '/orders/:id' } }, {}, '/orders/:id'],
  'Fastify 5 for a path without a route': [{ routeOptions: { url: undefined } }, {}, undefined],
  'a Fastify that tells no route': [{}, {}, undefined],
  'a Fastify whose properties throw': [
    Object.defineProperty({}, 'routeOptions', { get: () => assert.fail() }),
    {},
    undefined,
  ],
}
for (const [version, [request, reply, route]] of Object.entries(versions))
  test(`a request to ${version} goes on, ${route ? 'and its route is known' : 'without a route'}`, () => {
    const raw = { req: {} } as Answer
    let goesOn = 0
    const addHook = (_: string, hook: (...args: unknown[]) => void) =>
      hook(request, { raw, ...reply }, () => goesOn++)
    channel('fastify.initialization').publish({ fastify: { addHook } })
    assert.deepEqual([goesOn, routeOf(raw)], [1, route])
  })

test('a Fastify that takes no hooks is said, and ends nothing', t => {
  const { mock } = t.mock.method(process.stderr, 'write', () => true)
  channel('fastify.initialization').publish({ fastify: {} })
  assert.match(
    String(mock.calls[0]?.arguments[0]),
    /^apm-agent: telemetry lacks what fastify.initialization reports/,
  )
})

/** What other routers than those of Express leave on a request. */
const requests: Readonly<Record<string, readonly [request: object, route: string | undefined]>> = {
  Express: [{ baseUrl: '/api', route: { path: '/orders/:id' } }, '/api/orders/:id'],
  'a router without a base': [{ route: { path: '/orders/:id' } }, '/orders/:id'],
  'a router with a base of its own kind': [{ baseUrl: {}, route: { path: '/orders/:id' } }, '/orders/:id'],
  'a text as the route': [{ route: '/orders/7' }, undefined],
  'a function as the route': [{ route: () => {} }, undefined],
  'null as the route': [{ route: null }, undefined],
  'a regular expression': [{ route: { path: /orders/ } }, undefined],
  'a property that throws': [Object.defineProperty({}, 'route', { get: () => assert.fail() }), undefined],
}
for (const [what, [req, route]] of Object.entries(requests))
  test(`a request with ${what} has ${route ? 'its route' : 'no route'}`, () => {
    assert.equal(routeOf({ req } as Answer), route)
  })

test('calls of an unknown undici go on', async t => {
  const { stderr } = await runInstrumented(
    t,
    `import { channel } from 'node:diagnostics_channel'
    const create = request => channel('undici:request:create').publish({ request })
    create({ origin: 'http://a', method: 'GET', headers: null })
    create(undefined)`,
  )
  assert.match(stderr, /^apm-agent: telemetry lacks what undici:request:create reports [^\n]+\n$/)
})
