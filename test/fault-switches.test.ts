import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { ListedFault } from '../app/server/faults/faults.ts'
import { faultHeaders } from '../app/server/faults/token.ts'
import { lastStep } from '../app/steps.ts'
import { patience } from '../app/test-options.fixture.ts'
import { until } from './faults/fault.ts'
import { readLedger } from './faults/loaded-stack.ts'
import { segmentBytes } from './faults/written-lines.ts'
import { firstUpdate } from './live-events.ts'
import { runCommandLines } from './run-command.ts'
import { logPlaces, memberOf, type Stack, startStack } from './stack-parts.ts'

const LONG = '60s'
/** The delay that `slow-orders` adds to an answer. */
const SLOW_MS = 1000
/** Number of other requests that are answered while one waits. */
const OTHERS = 100
const MANY_LINES = 1000
/** A thread that hangs is not replaced before the requests behind it have failed. */
const PART_TIMEOUT_MS = 4 * patience.requestTimeoutMs
const LONGER_THAN_REQUESTS = `${2 * patience.requestTimeoutMs}ms`
/** With these implementations each fault has something to break. */
const everywhere = { compute: 'threads', logging: 'sidecar', apm: 'sidecar', rendering: 'threads' } as const

const asked = (url: string, method = 'GET') => fetch(url, { method, headers: faultHeaders() })

describe('the fault switches', () => {
  const directory = mkdtempSync(join(tmpdir(), 'switches-'))
  const apmSocket = join(directory, 'agent.sock')
  let stack: Stack
  let faults: string
  before(async () => {
    stack = await startStack({
      composition: { ...lastStep.composition, ...everywhere },
      app: {
        ...logPlaces(directory),
        apmSocket,
        ...patience,
        partTimeoutMs: PART_TIMEOUT_MS,
        taskTimeoutMs: patience.requestTimeoutMs,
        faults: true,
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
  async function begin(name: string, time = LONG): Promise<void> {
    assert.equal((await asked(`${faults}/${name}?for=${time}`, 'POST')).status, 200, name)
  }
  const end = (name: string) => asked(`${faults}/${name}`, 'DELETE')
  const answerOthers = async () => {
    for (let other = 0; other < OTHERS; other++) assert.equal((await fetch(url('/hello'))).status, 200)
    return 'others'
  }
  /** Asserts that the request waits while the fault is on, that others are answered, and that it is answered afterwards. */
  async function holdsBack(name: string, ask: () => Promise<string>): Promise<void> {
    await begin(name)
    const waiting = ask()
    assert.equal(await Promise.race([waiting, answerOthers()]), 'others')
    assert.ok(await isOn(name), 'it ended by itself')
    await end(name)
    assert.equal(await waiting, 'answered')
  }
  const list = async () => (await (await asked(faults)).json()) as ListedFault[]
  const isOn = async (name: string) => (await list()).find(fault => fault.name === name)?.remainingMs !== null

  test('kill a worker thread: its task fails, and another thread replaces it', async () => {
    await begin('kill-worker')
    await until(async () => {
      const running = await fetch(url('/cpu?size=20'))
      return ((await running.json()) as { code: string }).code === 'TASK_FAILED'
    })
    await end('kill-worker')
    assert.equal((await fetch(url('/cpu?size=5'))).status, 200)
  })

  test('kill a render thread: another one makes the pages that it has not begun', async () => {
    // A page that has killed two threads is given up. This one hangs, so that the kills hit it and not the page behind it.
    await begin('stall-renderer', LONGER_THAN_REQUESTS)
    const page = fetch(url('/page'))
    assert.equal(await Promise.race([page, answerOthers()]), 'others')
    assert.ok(await isOn('stall-renderer'), 'it ended by itself')
    await begin('kill-renderer')
    // Two kills end the hanging page. Later ones would hit the page behind it, which takes long on a busy machine.
    await until(async () => !(await isOn('stall-renderer')))
    await end('kill-renderer')
    assert.equal((await page).status, 200)
  })

  const hangs = {
    'stall-worker': '/cpu',
    'loop-task': '/cpu',
    'stall-renderer': '/page',
    'loop-part': '/page',
  }
  for (const [name, path] of Object.entries(hangs))
    test(`${name}: work for that thread waits until the fault is ended`, () =>
      holdsBack(name, async () => {
        const answer = await fetch(url(path))
        const text = await answer.text()
        return answer.ok && !text.includes('class="fallback"') ? 'answered' : text
      }))

  const members = { orders: 'orders', 'apm-agent': 'agent', 'logger-transport': 'transport' }
  for (const [name, short] of Object.entries(members)) {
    test(`kill ${name} for a time, and not for longer`, async () => {
      const member = memberOf(stack, name)
      const { restarts, pid } = member
      await begin(`kill-${short}`)
      await until(() => member.signal('SIGCONT') === false)
      assert.equal(member.restarts, restarts)
      await end(`kill-${short}`)
      await until(() => member.pid !== pid)
    })

    test(`stall ${name} for a time, and not for longer`, () =>
      holdsBack(`stall-${short}`, async () => {
        const { ok, status } = await fetch(`${memberOf(stack, name).addresses.http}/healthz`)
        return ok ? 'answered' : String(status)
      }))
  }

  test('refuse to kill a process that is already dead, which is started again all the same', async () => {
    const orders = memberOf(stack, 'orders')
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

  test('make the upstream slow, and what waits for it', async () => {
    await begin('slow-orders')
    const askedAtMs = performance.now()
    assert.equal((await fetch(url('/demo'))).status, 200)
    assert.ok(performance.now() - askedAtMs >= SLOW_MS)
    await end('slow-orders')
  })

  test('leak memory', async () => {
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
    const [{ delivered: before }, bytesBefore] = [await readLedger(stack), segmentBytes(directory)]
    await fetch(url(`/log?count=${MANY_LINES}`))
    await answerOthers()
    assert.ok(segmentBytes(directory) < bytesBefore + MANY_LINES, 'they were written')
    await end('fill-disk')
    await until(async () => (await readLedger(stack)).delivered >= before + MANY_LINES)
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

  test('are available as a command', async () => {
    const places = ['--admin-port', new URL(faults).port]
    const mistakes: readonly [string[], RegExp][] = [
      [['kill-everything'], /^error: there is no fault "kill-everything"; the faults are .*fill-disk.*\n$/],
      [['toString'], /^error: there is no fault "toString"; .*\n$/],
      [['kill-orders', '5s'], /^error: one fault is expected, received "5s" too; .*fill-disk.*\n$/],
    ]
    const lines = [
      [],
      ['slow-orders', '--for', '1m'],
      ['slow-orders', '--end'],
      ...mistakes.map(([args]) => args),
    ]
    const [shown, begun, ended, ...refused] = await runCommandLines(
      lines.map(args => ['app/server/faults/main.ts', ...args, ...places]),
    )
    assert.match(shown?.stdout ?? '', /^kill-worker .*^fill-disk /ms)
    assert.match(begun?.stdout ?? '', /^slow-orders +1 min 0 s left /m)
    assert.match(ended?.stdout ?? '', /^slow-orders +every answer /m)
    for (const [index, [, line]] of mistakes.entries()) {
      assert.match(refused[index]?.stderr ?? '', line)
      assert.equal(refused[index]?.code, 1)
    }
    assert.equal(await isOn('kill-orders'), false)
  })
})
