import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { get } from 'node:http'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { firstStep, lastStep } from '../app/steps.ts'
import { toFlags } from '../lib/cli/command-line.ts'
import { expectedDemo } from '../loadtest/generator/expected.ts'
import { until } from './faults/fault.ts'
import { childrenOf, gone, startCommand } from './run-command.ts'
import { FREE_PORTS, lightest, memberOf, type Stack } from './stack-parts.ts'
import { frugalFlags, start as startStack } from './start-stack.ts'
import { temporaryDirectory } from './temporary-directory.ts'

/** A terminal and npm need less time than this to pass on one Ctrl-C. */
const ANOTHER_CTRL_C_MS = 400

const start = async (t: TestContext): Promise<Stack> =>
  (await startStack(t, { composition: lastStep.composition })).stack

/** The composition with the fewest processes. */
const withoutApm = { ...firstStep.composition, apm: 'none' } as const

/** Runs `npm start` with its temporary files in a directory that belongs to the test. */
async function startAll(t: TestContext, ...flags: string[]) {
  const scratch = temporaryDirectory(t)
  const started = startCommand(t, 'stack/main.ts', [...FREE_PORTS, ...frugalFlags(t), ...flags], {
    env: { TMPDIR: scratch },
  })
  const url = (await started.line(/^ +try /))
    .split(' ')
    .at(-1)
    ?.replace(/\/page$/, '') as string
  return { ...started, url, scratch, members: childrenOf(started.child.pid as number) }
}

const isApp = (pid: number): boolean => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('app/main.ts')

async function askDemo(url: string): Promise<void> {
  assert.equal(await (await fetch(`${url}/demo?seed=7`)).text(), expectedDemo(7))
}

describe('a stack', () => {
  test('stops a process in order that alone gets SIGTERM, and starts it again, and waits for none that SIGSTOP stopped: nothing is lost', async t => {
    const stack = await start(t)
    await askDemo(stack.address('app'))
    for (const member of stack.processes.filter(({ name }) => name !== 'orders')) {
      const { pid } = member
      process.kill(pid, 'SIGTERM')
      await until(() => member.pid !== pid)
    }
    await askDemo(stack.address('app'))
    for (const member of stack.processes) if (member.name !== 'app') member.signal('SIGSTOP')
    const { spans, logLines } = await stack.stop()
    assert.deepEqual(spans, { emitted: 8, delivered: 8, dropped: 0, rejected: 0 })
    // Without a logger-transport a library writes the file itself, and nothing counts deliveries.
    const delivered = stack.processes.some(({ name }) => name === 'logger-transport') ? 20 : 0
    assert.deepEqual(logLines, { emitted: 20, delivered, dropped: 0, rejected: 0 })
    assert.equal(process.exitCode, undefined)
  })

  test('starts an app again that dies, at the same address, and leaves no process behind when it stops during a restart', async t => {
    const { stack, url } = await startStack(t, { composition: withoutApm, app: { unreadyMs: 1000 } })
    const [app, orders] = [memberOf(stack, 'app'), memberOf(stack, 'orders')]
    const before = app.pid
    app.signal('SIGKILL')
    assert.equal(await app.died, 'app ended with SIGKILL')
    await until(() => app.pid !== before)
    await askDemo(url)

    const { pid } = orders
    orders.signal('SIGKILL')
    await until(() => orders.restarts === 1)
    const stopped = stack.stop()
    await until(async () => (await fetch(`${url}/readyz`)).status === 503)
    assert.equal((await fetch(`${url}/hello`)).status, 200, 'it still accepts connections')
    await stopped
    assert.deepEqual([app.restarts, orders.pid === pid], [1, false])
    await gone(orders.pid)
  })
})

describe('npm start', () => {
  test('ends, in one line, when the app dies repeatedly, and leaves nothing behind', async t => {
    const { child, line, ended, members, scratch } = await startAll(t, ...toFlags(lightest))
    const app = () => childrenOf(child.pid as number).find(isApp)
    for (let deaths = 1; deaths <= 6; deaths++) {
      await until(() => app() !== undefined)
      process.kill(app() as number, 'SIGKILL')
      if (deaths < 6) await line(new RegExp(`app .*; it is restarted \\(${deaths} of 5\\)`))
    }
    assert.deepEqual(await ended, [1, null])
    assert.match(
      await line(/^error: /),
      /^error: app .*, 5 restarts within a minute did not help; the others were stopped$/,
    )
    await Promise.all(members.map(gone))
    assert.deepEqual(readdirSync(scratch), [])
  })

  test('shows no credentials in command lines, ends at once on the second Ctrl-C, and leaves nothing behind', async t => {
    const slow = [
      '--orders-latency=9s',
      '--orders-timeout=9s',
      '--compute=inline',
      '--rendering=string',
      '--upstream=main',
    ]
    const collector = ['--collector-url=http://user:a-password@127.0.0.1:9', '--log-targets=file,otlp']
    const { child, url, ended, members, scratch } = await startAll(t, ...slow, ...collector)
    for (const pid of members) assert.doesNotMatch(readFileSync(`/proc/${pid}/cmdline`, 'utf8'), /a-password/)
    get(`${url}/demo`).on('error', () => {})
    await fetch(`${url}/hello`)
    child.kill('SIGINT')
    await until(() =>
      fetch(url).then(
        () => false,
        () => true,
      ),
    )
    await delay(ANOTHER_CTRL_C_MS)
    child.kill('SIGINT')
    assert.deepEqual(await ended, [130, null])
    await Promise.all(members.map(gone))
    assert.deepEqual(readdirSync(scratch), [])
  })

  test('leaves nothing behind when it is killed itself', async t => {
    const { child, members, scratch } = await startAll(t)
    child.kill('SIGKILL')
    await Promise.all(members.map(gone))
    assert.deepEqual(readdirSync(scratch), [])
  })
})
