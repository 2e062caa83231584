import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { startApp } from '../app/app.ts'
import { appOptions } from '../app/config.ts'
import type { ListedFault } from '../app/server/faults/faults.ts'
import { readFaultToken } from '../app/server/faults/token.ts'
import { parseOptions, toFlags } from '../lib/cli/command-line.ts'
import { lightest } from './stack-parts.ts'

const PROBLEM = 'application/problem+json; charset=utf-8'

interface Asked {
  readonly method?: string
  /** The default is the app's token. If it is empty, no token is sent. */
  readonly token?: string
}

/** Starts an app in this process. @returns makes a request to its faults */
async function start(t: TestContext, options: object) {
  const flags = toFlags({ ...lightest, logging: 'none', port: 0, adminPort: 0, ...options })
  const app = await startApp(parseOptions(appOptions, flags).values)
  t.after(() => app.close())
  return (path: string, { method = 'GET', token = readFaultToken() }: Asked = {}) =>
    fetch(`${app.addresses.admin}/faults${path}`, {
      method,
      headers: token ? { authorization: `Bearer ${token}` } : {},
    })
}

describe('an app without a stack', () => {
  const refusals: readonly (Asked & { what: string; path: string; status: number })[] = [
    { what: 'no token', path: '', token: '', status: 401 },
    { what: 'another token', path: '', token: 'another', status: 401 },
    {
      what: 'another token for a fault',
      path: '/leak-memory',
      method: 'POST',
      token: 'another',
      status: 401,
    },
    { what: 'an unknown fault', path: '/kill-everything', method: 'POST', status: 404 },
    { what: 'an unknown method', path: '/leak-memory', method: 'PUT', status: 404 },
    { what: 'no duration', path: '/leak-memory?for=soon', method: 'POST', status: 400 },
  ]
  test('reports what faults need, and refuses requests without the token, and invalid requests', async t => {
    const ask = await start(t, { faults: true })
    const details = ['kill-orders', 'kill-worker', 'fill-disk'].map(async name => {
      const answer = await ask(`/${name}`, { method: 'POST' })
      return [answer.status, ((await answer.json()) as { detail: string }).detail]
    })
    assert.deepEqual(await Promise.all(details), [
      [409, 'this fault needs a stack: npm start -- --faults, with orders in it'],
      [409, 'this fault needs compute/threads or compute/processes'],
      [409, 'this fault needs logging/sidecar, which writes segments'],
    ])
    for (const { what, path, status, ...asked } of refusals)
      await t.test(`answers ${what} with ${status}, and nothing happens`, async () => {
        const answer = await ask(path, asked)
        assert.equal(answer.status, status)
        assert.equal(answer.headers.get('content-type'), PROBLEM)
        const list = (await (await ask('')).json()) as ListedFault[]
        assert.ok(list.length > 0 && list.every(({ remainingMs }) => remainingMs === null))
      })
    for (const method of ['POST', 'DELETE']) assert.equal((await ask('/leak-memory', { method })).status, 200)
  })

  test('has no switches unless it was told to', async t => {
    assert.equal((await (await start(t, {}))('')).status, 404)
  })
})
