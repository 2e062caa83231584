import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, get, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { faultHeaders } from '../app/server/faults/token.ts'
import type { Usage } from '../app/server/usage.ts'
import { steps } from '../app/steps.ts'
import { patience } from '../app/test-options.fixture.ts'
import { toFlags } from '../lib/cli/command-line.ts'
import { listen } from '../lib/http/listen.ts'
import { expectedDemo } from '../loadtest/generator/expected.ts'
import type { StackOptions } from '../stack/stack-options.ts'
import { until } from './faults/fault.ts'
import { gone, runCommand, startCommand } from './run-command.ts'
import { start as startStack } from './start-stack.ts'
import { temporaryDirectory } from './temporary-directory.ts'

async function start(t: TestContext, options: Partial<StackOptions> = {}) {
  const { stack, url, logFile } = await startStack(t, { ...options, app: { instances: 2, ...options.app } })
  const admin = stack.address('app', 'admin')
  const ask = async <T>(path: string) => (await (await fetch(`${admin}${path}`)).json()) as T
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

/** The first step, with a library that writes its file itself from every instance, and the last one. */
const compositions = [
  { name: 'the first step with logging/pino', composition: { ...steps[0]?.composition, logging: 'pino' } },
  steps.at(-1),
] as (typeof steps)[number][]

/** The tests that look at no telemetry start fewer processes. */
const withoutApm = { ...(compositions[0] as (typeof steps)[number]).composition, apm: 'none' } as const

describe('an app of two instances', () => {
  for (const { name, composition } of compositions) {
    test(`answers from both at ${name}, and tells what it used, and loses no line and no telemetry`, async t => {
      const { stack, url, logFile, ask } = await start(t, { composition, app: patience })
      const seeds = Array.from({ length: 40 }, (_, index) => index + 1)
      const answers = await Promise.all(seeds.map(seed => askAnew(`${url}/demo?seed=${seed}`)))
      assert.deepEqual(answers, seeds.map(expectedDemo))
      const running = await ask<{ logLines: { emitted: number } }>('/counts')
      assert.equal(running.logLines.emitted, 400)
      const { mainThread, total } = await ask<Usage>('/usage')
      assert.ok(total.cpuMicros > mainThread.cpuMicros)

      const { logLines, spans, metricPoints } = await stack.stop()
      assert.deepEqual(spans, { emitted: 160, delivered: 160, dropped: 0, rejected: 0 })
      assert.ok(metricPoints?.emitted && metricPoints.emitted === metricPoints.delivered)
      const lines = linesOf(logFile)
      assert.deepEqual([logLines?.emitted, lines.length], [400, 400])
      assert.equal(new Set(lines.map(({ instance }) => instance)).size, 2)
      assert.equal(new Set(lines.map(({ requestId }) => requestId)).size, 40)
    })
  }

  test('serves as one app while it runs', async t => {
    const { stack, url, ask, pids } = await start(t, {
      composition: withoutApm,
      app: { faults: true, unreadyMs: 1000 },
      orders: { latencyMs: 200 },
    })

    await t.test('starts the one that dies again', async () => {
      const [first, second] = (await pids()) as [number, number]
      process.kill(first, 'SIGKILL')
      await gone(first)
      // A connection that was given to the dead instance before its death was noticed is lost.
      const askOnce = () => askAnew(`${url}/demo?seed=1`).catch(() => undefined)
      await until(async () => (await askOnce()) === expectedDemo(1) && (await pids()).length === 2)
      const now = await pids()
      assert.ok(now[0] !== first && now[1] === second, `${now} in place of ${[first, second]}`)
      assert.equal((await ask<Usage>('/usage')).restarts, 1)
    })

    await t.test('is an operator server as any other: not for other sites or names', async () => {
      const fault = `${stack.address('app', 'admin')}/faults/leak-memory`
      const statusWith = async (headers: Record<string, string>) => {
        const [response] = await once(request(fault, { method: 'POST', headers }).end(), 'response')
        return response.resume().statusCode
      }
      assert.equal(await statusWith({ 'sec-fetch-site': 'cross-site' }), 403)
      assert.equal(await statusWith({ host: 'somebody.example' }), 421)
      assert.equal(await statusWith({}), 401)
    })

    await t.test('lists its faults as one process does', async () => {
      const answer = await fetch(`${stack.address('app', 'admin')}/faults`, { headers: faultHeaders() })
      assert.ok(Array.isArray(await answer.json()))
    })

    await t.test('lets no client wait whose instance died before it took the connection', async () => {
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

    await t.test(
      'is unready when it is stopped, answers what is in flight, and leaves no process',
      async () => {
        const all = await pids()
        const asked = get(`${url}/serialization?orders=1`, { agent: false })
        const response = new Promise<IncomingMessage>(resolve => asked.on('response', resolve))
        await new Promise(resolve => asked.on('finish', resolve))
        await askAnew(`${url}/hello`)
        const stopped = stack.stop()
        await until(async () => (await fetch(`${url}/readyz`)).status === 503)
        const answer = await response
        assert.equal(answer.statusCode, 200)
        assert.match(await text(answer), /"orders":\[\{/)
        assert.ok((await stopped).logLines)
        assert.equal(process.exitCode, undefined)
        await assert.rejects(askAnew(`${url}/hello`))
        await Promise.all(all.map(gone))
      },
    )
  })
})

describe('an app of two instances without a stack', () => {
  test('ends when the process that started its instances is killed', async t => {
    const { flags } = standalone(t)
    const { started, pids } = await startAlone(t, flags)
    assert.equal(pids.length, 2)
    started.child.kill('SIGKILL')
    await Promise.all(pids.map(gone))
  })

  test('gives up, and says so, when an instance dies again and again', async t => {
    const { flags, segments } = standalone(t)
    const { started, pids } = await startAlone(t, flags)
    // From now on no instance can start.
    rmSync(segments, { recursive: true })
    writeFileSync(segments, '')
    const [first, second] = pids as [number, number]
    process.kill(second, 'SIGKILL')
    assert.deepEqual(await started.ended, [1, null])
    assert.match(await started.line(/^error: /), /instance 2 .* restarts .*did not help; the app is stopped$/)
    await gone(first)
  })

  test('says in one line that its port is taken', async t => {
    const taken = createServer()
    t.after(() => taken.close())
    const { port } = new URL(await listen(taken, '127.0.0.1', 0))
    const flags = [...standalone(t).flags, `--port=${port}`]
    const { stderr, code } = await runCommand('app/main.ts', flags)
    assert.equal(code, 1)
    const message = `error: cannot listen on 127.0.0.1:${port} (EADDRINUSE); choose another with --port\n`
    assert.equal(stderr, message)
  })
})

const onMainThread = { compute: 'inline', rendering: 'string', upstream: 'main', apm: 'none' }

async function startAlone(t: TestContext, flags: readonly string[]) {
  const started = startCommand(t, 'app/main.ts', flags)
  const admin = (await started.line(/\(admin\)/)).split(' ').at(-2)
  const { instances } = (await (await fetch(`${admin}/process`)).json()) as { instances: { pid: number }[] }
  return { started, pids: instances.map(({ pid }) => pid) }
}

/** Flags of an app that needs no other process, and whose instances start no thread. */
function standalone(t: TestContext) {
  const directory = temporaryDirectory(t)
  const segments = join(directory, 'segments')
  const files = [`--log-file=${join(directory, 'app.log')}`, `--log-dir=${segments}`]
  return {
    segments,
    flags: ['--instances=2', '--port=0', '--admin-port=0', ...toFlags(onMainThread), ...files],
  }
}
