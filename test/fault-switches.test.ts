import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { ListedFault } from '../app/faults/fault-routes.ts'
import { lastStep } from '../app/steps.ts'
import { type Stack, startStack } from '../stack/stack.ts'
import { until } from './faults/fault.ts'
import { firstUpdate } from './live-events.ts'
import { runCommand, startCommand } from './run-command.ts'

const TOKEN = 'a token for tests'
const LONG = '60s'

interface Problem {
  readonly code: string
  readonly detail: string
}

/** @param token none where it is empty */
const asked = (url: string, method = 'GET', token = TOKEN) =>
  fetch(url, { method, headers: token === '' ? {} : { authorization: `Bearer ${token}` } })

describe('the fault switches', () => {
  const directory = mkdtempSync(join(tmpdir(), 'switches-'))
  let stack: Stack
  let faults: string
  before(async () => {
    stack = await startStack({
      composition: lastStep.composition,
      app: {
        logFile: join(directory, 'app.log'),
        logDir: join(directory, 'segments'),
        faults: true,
        faultToken: TOKEN,
        ordersTimeoutMs: 500,
        threads: 1,
      },
    })
    faults = `${stack.address('app', 'admin')}/faults`
  })
  after(async () => {
    await stack.stop()
    rmSync(directory, { recursive: true })
  })

  const url = (path: string) => stack.address('app') + path
  const memberOf = (name: string) => stack.processes.find(each => each.name === name) as Stack['processes'][0]
  async function begin(name: string, time = LONG): Promise<void> {
    assert.equal((await asked(`${faults}/${name}?for=${time}`, 'POST')).status, 200, name)
  }
  const end = (name: string) => asked(`${faults}/${name}`, 'DELETE')
  const list = async () => (await (await asked(faults)).json()) as ListedFault[]
  const isOn = async (name: string) => (await list()).find(fault => fault.name === name)?.remainingMs !== null

  const refusals = [
    { what: 'no token', path: '', token: '', status: 401 },
    { what: 'another token', path: '', token: 'another', status: 403 },
    {
      what: 'another token for a fault',
      path: '/kill-orders',
      method: 'POST',
      token: 'another',
      status: 403,
    },
    { what: 'an unknown fault', path: '/kill-everything', method: 'POST', status: 404 },
    { what: 'an unknown method', path: '/kill-orders', method: 'PUT', status: 404 },
    { what: 'no duration', path: '/kill-orders?for=soon', method: 'POST', status: 400 },
  ]
  for (const { what, path, method, token = TOKEN, status } of refusals) {
    test(`answer ${what} with ${status}, and nothing happens`, async () => {
      const answer = await asked(faults + path, method, token)
      assert.equal(answer.status, status)
      assert.equal(answer.headers.get('content-type'), 'application/problem+json; charset=utf-8')
      assert.ok((await list()).every(({ remainingMs }) => remainingMs === null))
    })
  }

  test('kill a worker thread: what it ran fails, and another takes its place', async () => {
    await begin('kill-worker')
    await until(async () => {
      const running = await fetch(url('/cpu?size=20'))
      return ((await running.json()) as Problem).code === 'TASK_FAILED'
    })
    await end('kill-worker')
    assert.equal((await fetch(url('/cpu?size=5'))).status, 200)
  })

  test('stall a worker thread until they are told to end it', async () => {
    await begin('stall-worker')
    const waiting = fetch(url('/cpu?size=1'))
    assert.equal(await Promise.race([waiting, delay(200, 'nothing')]), 'nothing')
    await end('stall-worker')
    assert.equal((await waiting).status, 200)
  })

  for (const name of ['kill-renderer', 'stall-renderer', 'loop-part', 'loop-task'])
    test(`${name}, and answers come again`, async () => {
      await begin(name)
      await end(name)
      for (const path of ['/page', '/demo']) await until(async () => (await fetch(url(path))).ok)
    })

  const members = { orders: 'orders', 'apm-agent': 'agent', 'logger-transport': 'transport' }
  for (const [name, short] of Object.entries(members)) {
    test(`kill ${name} for a time, and not for longer`, async () => {
      const member = memberOf(name)
      const { restarts, pid } = member
      await begin(`kill-${short}`)
      await until(() => member.signal('SIGCONT') === false)
      assert.equal(member.restarts, restarts)
      await end(`kill-${short}`)
      await until(() => member.pid !== pid)
    })

    test(`stall ${name} for a time, and not for longer`, async () => {
      const health = () =>
        fetch(`${memberOf(name).addresses.http}/healthz`, { signal: AbortSignal.timeout(300) })
      await begin(`stall-${short}`)
      await assert.rejects(health)
      await end(`stall-${short}`)
      await until(() =>
        health().then(
          ({ ok }) => ok,
          () => false,
        ),
      )
    })
  }

  test('kill what is dead already: that is refused, and it is started again all the same', async () => {
    const orders = memberOf('orders')
    const comesAgain = async (pid: number) => until(() => orders.pid !== pid)
    let { pid } = orders
    await begin('kill-orders')
    await until(() => orders.signal('SIGCONT') === false)
    assert.equal((await asked(`${faults}/kill-orders`, 'POST')).status, 409)
    await comesAgain(pid)
    pid = orders.pid
    orders.signal('SIGKILL')
    await comesAgain(pid)
  })

  test('make the upstream slow, which is seen as a 504', async () => {
    await begin('slow-orders')
    assert.equal((await fetch(url('/demo'))).status, 504)
    await end('slow-orders')
    await until(async () => (await fetch(url('/demo'))).status === 200)
  })

  test('leak memory, and give it back', async () => {
    const residentBytes = async () => {
      const usage = await (await fetch(`${stack.address('app', 'admin')}/usage`)).json()
      return (usage as { total: { residentBytes: number } }).total.residentBytes
    }
    const before = await residentBytes()
    await begin('leak-memory')
    await until(async () => (await residentBytes()) > before + 10 * 2 ** 20)
    await end('leak-memory')
  })

  test('reach the disk bound: lines wait, and are delivered afterwards', async () => {
    await begin('fill-disk')
    await fetch(url('/log?count=1000'))
    await end('fill-disk')
    const counts = async () => (await fetch(`${memberOf('logger-transport').addresses.http}/counts`)).json()
    const delivered = async () => ((await counts()) as { logLines: { delivered: number } }).logLines.delivered
    await until(async () => (await delivered()) >= 1000)
  })

  test('end by themselves', async () => {
    await begin('slow-orders', '50ms')
    await until(async () => !(await isOn('slow-orders')))
  })

  test('are seen on the live page', async () => {
    await begin('leak-memory')
    const isMarked = ({ name }: { readonly name: string }) => name === 'leak-memory'
    const { update } = await firstUpdate(`${stack.address('apm-agent')}/`, update =>
      update.faults.some(isMarked),
    )
    const fault = update.faults.findLast(isMarked)
    assert.ok(fault && fault.fromMs <= update.atMs && fault.untilMs > update.atMs)
    await end('leak-memory')
  })

  test('are at hand as a command', async () => {
    const port = new URL(faults).port
    const run = (...words: string[]) =>
      runCommand('app/faults/main.ts', [...words, '--admin-port', port], { FAULT_TOKEN: TOKEN })
    assert.match((await run('slow-orders', '--for', '1m')).stdout, /^slow-orders +1 min 0 s left /m)
    assert.match((await run('slow-orders', '--end')).stdout, /^slow-orders +every answer /m)
    const mistakes = [
      [['kill-everything'], /^error: there is no fault "kill-everything"; the faults are .*fill-disk\n$/],
      [['toString'], /^error: there is no fault "toString"; .*\n$/],
      [['kill-orders', '5s'], /^error: one fault is expected, "5s" is one too many; .*fill-disk\n$/],
    ] as const
    for (const [words, line] of mistakes) {
      const { code, stderr } = await run(...words)
      assert.match(stderr, line)
      assert.equal(code, 1)
    }
    assert.equal(await isOn('kill-orders'), false)
  })
})

describe('an app without a stack', () => {
  test('says of a fault that it needs one, and of another that it needs threads', async t => {
    const flags = [
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
    ]
    const app = startCommand(t, 'app/main.ts', [...flags, '--faults'])
    const token = (await app.line(/fault switches are on/)).split(' ').at(-1)
    const url = (await app.line(/\(admin\)/)).split(' ').at(-2)
    const details = ['kill-orders', 'kill-worker', 'fill-disk'].map(async name => {
      const answer = await asked(`${url}/faults/${name}`, 'POST', token)
      return [answer.status, ((await answer.json()) as Problem).detail]
    })
    assert.deepEqual(await Promise.all(details), [
      [409, 'this fault needs a stack: npm start -- --faults, with orders in it'],
      [409, 'this fault needs compute/threads or compute/processes'],
      [409, 'this fault needs logging/sidecar, which writes segments'],
    ])
  })

  test('has no switches unless it was told to', async t => {
    const flags = [
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
    ]
    const app = startCommand(t, 'app/main.ts', flags)
    const url = (await app.line(/\(admin\)/)).split(' ').at(-2)
    assert.equal((await asked(`${url}/faults`)).status, 404)
  })
})
