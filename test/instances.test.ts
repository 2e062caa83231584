import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, get, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import type { InstancesUsage } from '../app/instances/usage.ts'
import { steps } from '../app/steps.ts'
import type { Usage } from '../app/usage.ts'
import { expectedDemo } from '../loadtest/generator/expected.ts'
import type { StackOptions } from '../stack/stack.ts'
import { until } from './faults/fault.ts'
import { patience } from './patience.ts'
import { gone, runCommand, startCommand } from './run-command.ts'
import { start as startStack, temporaryDirectory } from './start-stack.ts'

async function start(t: TestContext, options: Partial<StackOptions> = {}) {
  const { stack, url, logFile } = await startStack(t, { ...options, app: { instances: 2, ...options.app } })
  const admin = stack.address('app', 'admin')
  const ask = async <T>(path: string, method = 'GET') =>
    (await (await fetch(`${admin}${path}`, { method })).json()) as T
  const pids = async () =>
    (await ask<{ instances: { pid: number }[] }>('/process')).instances.map(({ pid }) => pid)
  return { stack, url, logFile, ask, pids }
}

/** Makes a request over a new connection, which goes to the next instance. */
async function askAnew(url: string): Promise<string> {
  const [response] = await once(get(url, { agent: false }), 'response')
  return text(response)
}

const linesOf = (file: string) =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as { instance: string; requestId: string })

function checkSums({ mainThread, total, instances, primary }: InstancesUsage): void {
  const [one, other] = instances as [Usage, Usage]
  assert.equal(instances.length, 2)
  assert.ok(one.mainThread.cpuMicros > 0 && other.mainThread.cpuMicros > 0 && primary.cpuMicros > 0)
  assert.equal(mainThread.cpuMicros, one.mainThread.cpuMicros + other.mainThread.cpuMicros)
  assert.equal(total.cpuMicros, one.total.cpuMicros + other.total.cpuMicros + primary.cpuMicros)
}

/** The first and the last step, and a library that writes its file itself from every instance. */
const compositions = [
  steps[0],
  { name: 'logging/pino', composition: { ...steps[0]?.composition, logging: 'pino' } },
  steps.at(-1),
] as (typeof steps)[number][]

describe('an app of two instances', () => {
  for (const { name, composition } of compositions) {
    test(`answers from both at ${name}, and tells what it used, and loses no line and no telemetry`, async t => {
      const { stack, url, logFile, ask } = await start(t, { composition, app: patience })
      const seeds = Array.from({ length: 40 }, (_, index) => index + 1)
      const answers = await Promise.all(seeds.map(seed => askAnew(`${url}/demo?seed=${seed}`)))
      assert.deepEqual(answers, seeds.map(expectedDemo))
      const running = await ask<{ logLines: { emitted: number } }>('/counts')
      assert.equal(running.logLines.emitted, 400)
      checkSums(await ask<InstancesUsage>('/usage'))

      const { logLines, spans, metricPoints } = await stack.stop()
      assert.deepEqual(spans, { emitted: 160, delivered: 160, dropped: 0, rejected: 0 })
      assert.ok(metricPoints?.emitted && metricPoints.emitted === metricPoints.delivered)
      const lines = linesOf(logFile)
      assert.deepEqual([logLines?.emitted, lines.length], [400, 400])
      assert.equal(new Set(lines.map(({ instance }) => instance)).size, 2)
      assert.equal(new Set(lines.map(({ requestId }) => requestId)).size, 40)
    })
  }

  test('starts the one that dies again, which logs at the level that was set meanwhile', async t => {
    const { url, ask, pids } = await start(t)
    for (const level of ['debug', 'warn', 'debug']) await ask(`/log-level/${level}`, 'PUT')
    const [first, second] = (await pids()) as [number, number]
    process.kill(first, 'SIGKILL')
    await gone(first)
    // A connection that was given to the dead instance before its death was noticed is lost.
    const askOnce = () => askAnew(`${url}/demo?seed=1`).catch(() => undefined)
    await until(async () => (await askOnce()) === expectedDemo(1) && (await pids()).length === 2)
    const now = await pids()
    assert.ok(now[0] !== first && now[1] === second, `${now} in place of ${[first, second]}`)
    assert.equal((await ask<InstancesUsage>('/usage')).restarts, 1)
    const levels = () => ask<{ instances: { level: string }[] }>('/log-level')
    await until(async () => (await levels()).instances.every(({ level }) => level === 'debug'))
  })

  test('lets no client wait that was given to an instance which died before it took the connection', async t => {
    const { url, pids } = await start(t)
    const [first] = (await pids()) as [number, number]
    process.kill(first, 'SIGSTOP')
    const asked = [1, 2, 3, 4].map(() => askAnew(`${url}/hello`))
    await Promise.any(asked)
    process.kill(first, 'SIGKILL')
    const outcomes = await Promise.allSettled(asked)
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), [
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
    ])
  })

  test('is an operator server as any other: not for pages of another site, nor under another name', async t => {
    const { stack } = await start(t)
    const url = `${stack.address('app', 'admin')}/log-level/debug`
    const statusWith = async (headers: Record<string, string>) => {
      const [response] = await once(request(url, { method: 'PUT', headers }).end(), 'response')
      return response.resume().statusCode
    }
    assert.equal(await statusWith({ 'sec-fetch-site': 'cross-site' }), 403)
    assert.equal(await statusWith({ host: 'somebody.example' }), 421)
    assert.equal(await statusWith({}), 200)
  })

  test('lists its faults as one process does', async t => {
    const { stack } = await start(t, { app: { faults: true, faultToken: 'token' } })
    const answer = await fetch(`${stack.address('app', 'admin')}/faults`, {
      headers: { authorization: 'Bearer token' },
    })
    assert.ok(Array.isArray(await answer.json()))
  })

  test('is not ready for as long as it was told before it stops', async t => {
    const { stack, url } = await start(t, { app: { unreadyMs: 1000, drainTimeoutMs: 100 } })
    const stopped = stack.stop()
    await until(async () => (await fetch(`${url}/readyz`)).status === 503)
    const { logLines } = await stopped
    assert.ok(logLines)
    assert.equal(process.exitCode, undefined)
  })

  test('finishes the request in flight when it is stopped, and leaves no process behind', async t => {
    const { stack, url, pids } = await start(t, { orders: { latencyMs: 200 } })
    const all = await pids()
    const asked = get(`${url}/serialization?orders=1`, { agent: false })
    const response = new Promise<IncomingMessage>(resolve => asked.on('response', resolve))
    await new Promise(resolve => asked.on('finish', resolve))
    await askAnew(`${url}/hello`)
    const stopped = stack.stop()
    const answer = await response
    assert.equal(answer.statusCode, 200)
    assert.match(await text(answer), /"orders":\[\{/)
    await stopped
    await assert.rejects(askAnew(`${url}/hello`))
    await Promise.all(all.map(gone))
  })

  test('ends when the process that started its instances is killed', async t => {
    const { flags } = standalone(t)
    const started = startCommand(t, 'app/main.ts', flags)
    const admin = (await started.line(/\(admin\)/)).split(' ').at(-2)
    const { instances } = (await (await fetch(`${admin}/process`)).json()) as { instances: { pid: number }[] }
    assert.equal(instances.length, 2)
    started.child.kill('SIGKILL')
    await Promise.all(instances.map(({ pid }) => gone(pid)))
  })

  test('gives up, and says so, when an instance dies again and again', async t => {
    const { flags, segments } = standalone(t)
    const started = startCommand(t, 'app/main.ts', flags)
    const admin = (await started.line(/\(admin\)/)).split(' ').at(-2)
    const { instances } = (await (await fetch(`${admin}/process`)).json()) as { instances: { pid: number }[] }
    // From now on no instance can start.
    rmSync(segments, { recursive: true })
    writeFileSync(segments, '')
    const [first, second] = instances.map(({ pid }) => pid) as [number, number]
    process.kill(second, 'SIGKILL')
    assert.deepEqual(await started.ended, [1, null])
    assert.match(await started.line(/^error: /), /instance 2 .* restarts .*did not help; the app is stopped$/)
    await gone(first)
  })

  test('says in one line that its port is taken', async t => {
    const taken = createServer().listen(0, '127.0.0.1')
    t.after(() => taken.close())
    await new Promise(resolve => taken.once('listening', resolve))
    const { port } = taken.address() as AddressInfo
    const { stderr, code } = await runCommand('app/main.ts', [...standalone(t).flags, `--port=${port}`])
    assert.equal(code, 1)
    const message = `error: cannot listen on 127.0.0.1:${port} (EADDRINUSE); choose another with --port\n`
    assert.equal(stderr, message)
  })

  test('does not write lines of several instances to one pipe', async t => {
    const { stderr, code } = await runCommand('app/main.ts', [...standalone(t).flags, '--log-to=stdout'])
    assert.deepEqual([code, stderr.split('\n').length], [1, 2])
    assert.match(stderr, /^error: several instances cannot write whole lines/)
  })
})

/** Flags of an app that needs no other process. */
function standalone(t: TestContext) {
  const directory = temporaryDirectory(t)
  const segments = join(directory, 'segments')
  const files = [`--log-file=${join(directory, 'app.log')}`, `--log-dir=${segments}`]
  return { segments, flags: ['--instances=2', '--apm=none', '--port=0', '--admin-port=0', ...files] }
}
