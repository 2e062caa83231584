import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { scenarioNames, scenarios } from '../generator/scenarios.ts'
import { checkBodies } from './subject.ts'

const bodies = new Map(scenarioNames.map(name => [scenarios[name].path(7), scenarios[name].body(7)]))

/** Serves every route, each as if it were late for its first requests. */
async function serve(t: TestContext, lateRequests: number): Promise<string> {
  const seen = new Map<string, number>()
  const server = createServer(({ url = '' }, response) => {
    const count = (seen.get(url) ?? 0) + 1
    seen.set(url, count)
    response.end(count > lateRequests ? bodies.get(url) : 'a part of this page is late')
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('the check before the load', () => {
  test('gives an app that got no core another chance', async t => {
    await checkBodies(await serve(t, 2))
  })

  test('fails when a route never answers as expected', async t => {
    const url = await serve(t, Number.POSITIVE_INFINITY)
    await assert.rejects(checkBodies(url), /answered 10 times otherwise, last with 200 a part of this page/)
  })
})
