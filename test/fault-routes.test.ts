import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { ListedFault } from '../app/server/faults/fault-routes.ts'
import { startCommand } from './run-command.ts'

const TOKEN = 'the-token-of-this-test'
const PROBLEM = 'application/problem+json; charset=utf-8'

interface Asked {
  readonly method?: string
  /** The default is the app's token. If it is empty, no token is sent. */
  readonly token?: string
}

/** Starts the app of the first step without other processes. */
async function start(t: TestContext, ...flags: string[]) {
  const { line } = startCommand(t, 'app/main.ts', [
    '--port',
    '0',
    '--admin-port',
    '0',
    '--step',
    'monolith',
    '--apm',
    'none',
    '--logging',
    'none',
    ...flags,
  ])
  return { url: (await line(/\(admin\)/)).split(' ').at(-2) as string }
}

async function startWithFaults(t: TestContext) {
  const { url } = await start(t, '--faults', '--fault-token', TOKEN)
  return (path: string, { method = 'GET', token = TOKEN }: Asked = {}) =>
    fetch(`${url}/faults${path}`, { method, headers: token ? { authorization: `Bearer ${token}` } : {} })
}

describe('an app without a stack', () => {
  const refusals: readonly (Asked & { what: string; path: string; status: number })[] = [
    { what: 'no token', path: '', token: '', status: 401 },
    { what: 'another token', path: '', token: 'another', status: 403 },
    {
      what: 'another token for a fault',
      path: '/leak-memory',
      method: 'POST',
      token: 'another',
      status: 403,
    },
    { what: 'an unknown fault', path: '/kill-everything', method: 'POST', status: 404 },
    { what: 'an unknown method', path: '/leak-memory', method: 'PUT', status: 404 },
    { what: 'no duration', path: '/leak-memory?for=soon', method: 'POST', status: 400 },
  ]
  test('reports what faults need, and refuses requests without the token, and invalid requests', async t => {
    const ask = await startWithFaults(t)
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
    assert.equal((await ask('/leak-memory', { method: 'POST' })).status, 200)
  })

  test('has no switches unless it was told to', async t => {
    const { url } = await start(t)
    assert.equal((await fetch(`${url}/faults`)).status, 404)
  })
})
