import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { namesOf } from '../app/concerns.ts'
import { lastStep, steps } from '../app/steps.ts'
import { listen } from '../lib/listen.ts'
import { expectedDemo } from '../loadtest/expected.ts'
import { type StackOptions, startStack } from '../stack/stack.ts'
import type { SupervisedProcess } from '../stack/supervise.ts'
import { firstUpdate } from './live-events.ts'
import { gone, runCommand, startCommand } from './run-command.ts'

const FREE_PORTS = ['port', 'admin-port', 'orders-port', 'apm-agent-port', 'logger-transport-port'].map(
  name => `--${name}=0`,
)

function temporaryDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'stack-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

function logFlags(t: TestContext): string[] {
  const directory = temporaryDirectory(t)
  return ['--log-file', join(directory, 'app.log'), '--log-dir', join(directory, 'segments')]
}

async function start(t: TestContext, options: Partial<StackOptions> = {}) {
  const directory = temporaryDirectory(t)
  const logFile = join(directory, 'app.log')
  const logDir = join(directory, 'segments')
  const { composition } = steps[0] as (typeof steps)[0]
  const stack = await startStack({ composition, ...options, app: { logFile, logDir, ...options.app } })
  t.after(() => stack.stop())
  const orders = stack.processes.find(({ name }) => name === 'orders') as SupervisedProcess
  return { stack, url: stack.address('app'), logFile, orders }
}

/** The last step, with answers made by whatever computes. */
const elsewhere = namesOf('compute').map(compute => ({
  name: `rendering, with serialization/threads and compute/${compute}`,
  composition: { ...lastStep.composition, compute, serialization: 'threads' as const },
}))

describe('the stack', () => {
  for (const { name, composition } of [...steps, ...elsewhere]) {
    test(`serves the demo at step ${name}, and loses no line and no telemetry when it stops`, async t => {
      const { stack, url, logFile } = await start(t, { composition })
      for (const seed of [1, 2, 3]) {
        const response = await fetch(`${url}/demo?seed=${seed}`)
        assert.equal(await response.text(), expectedDemo(seed))
      }
      const { logLines, spans, metricPoints } = await stack.stop()
      assert.deepEqual(spans, { emitted: 12, delivered: 12, dropped: 0 })
      assert.ok(metricPoints?.emitted && metricPoints.emitted === metricPoints.delivered)
      assert.equal(logLines?.emitted, 30)
      assert.equal(readFileSync(logFile, 'utf8').trimEnd().split('\n').length, 30)
    })
  }

  test('finishes the request in flight on SIGTERM, then refuses new connections', async t => {
    const { stack, url } = await start(t, { orders: { latencyMs: 200 } })
    const asked = get(`${url}/serialization?orders=1`)
    const response = new Promise<import('node:http').IncomingMessage>(resolve =>
      asked.on('response', resolve),
    )
    await new Promise(resolve => asked.on('finish', resolve))
    await fetch(`${url}/hello`)
    const stopped = stack.stop()
    const answer = await response
    assert.equal(answer.statusCode, 200)
    assert.match(await text(answer), /"orders":\[\{/)
    await stopped
    await assert.rejects(fetch(`${url}/hello`))
    await Promise.all(stack.processes.map(({ pid }) => gone(pid)))
  })

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    test(`ends with exit code 0 on ${signal} and leaves no process behind`, async t => {
      const started = startCommand(t, 'stack/main.ts', [
        ...FREE_PORTS,
        '--compute',
        'processes',
        ...logFlags(t),
      ])
      const url = (await started.line(/app \(admin\)/)).split(/ +/).at(-1) as string
      const { pid } = (await (await fetch(`${url}/process`)).json()) as { pid: number }
      started.child.kill(signal)
      assert.deepEqual(await started.ended, [0, null])
      await gone(pid)
    })
  }

  test('keeps a steady load on the app when asked to, and says what became of it', async t => {
    const flags = [...FREE_PORTS, ...logFlags(t), '--load', '5', '--step', 'monolith']
    const started = startCommand(t, 'stack/main.ts', flags)
    const url = (await started.line(/^ +watch /)).split(' ').at(-1) as string
    const { note, update } = await firstUpdate(url, ({ goodput }) => goodput > 0)
    assert.deepEqual([note, update.bad], ['5 connections ask for /demo', 0])
    started.child.kill('SIGINT')
    assert.deepEqual(await started.ended, [0, null])
    assert.match(await started.line(/^load: /), /^load: [1-9]\d* good answers, 0 errors, 0 wrong bodies$/)
  })

  test('stops in order when all its processes are told to at once', async t => {
    const flags = [...FREE_PORTS, ...logFlags(t), '--load', '5']
    const started = startCommand(t, 'stack/main.ts', flags, { detached: true })
    const url = (await started.line(/^ +watch /)).split(' ').at(-1) as string
    await firstUpdate(url, ({ goodput }) => goodput > 0)
    const { length } = started.lines
    process.kill(-(started.child.pid as number), 'SIGTERM')
    assert.deepEqual(await started.ended, [0, null])
    await started.line(/^load: /)
    assert.deepEqual(
      started.lines.slice(length).map(line => line.replace(/\d+ good/, 'some good')),
      ['load: some good answers, 0 errors, 0 wrong bodies'],
    )
  })
})

describe('the upstream', () => {
  test('that is not there makes a 502', async t => {
    const { url, orders } = await start(t)
    orders.knockOut(new Promise(() => {}))
    await orders.died
    const response = await fetch(`${url}/demo`)
    assert.equal(response.status, 502)
    assert.equal(((await response.json()) as { code: string }).code, 'UPSTREAM_FAILED')
  })

  test('that is too slow makes a 504 before it has answered', async t => {
    const { url } = await start(t, { orders: { latencyMs: 5000 }, app: { ordersTimeoutMs: 100 } })
    const response = await fetch(`${url}/demo`)
    assert.equal(response.status, 504)
    assert.equal(((await response.json()) as { code: string }).code, 'UPSTREAM_TIMEOUT')
  })

  const failures = [
    { what: 'an error', status: 500, body: '{"orders":[]}' },
    { what: 'what is no JSON, and no Protobuf', status: 200, body: '{"orders":[' },
    { what: 'no orders', status: 200, body: '' },
  ]
  for (const { what, status, body } of failures) {
    for (const serialization of ['native', 'threads']) {
      test(`that answers ${what} makes a 502 with serialization/${serialization}`, async t => {
        const upstream = createServer((_request, response) => response.writeHead(status).end(body))
        const ordersUrl = await listen(upstream, '127.0.0.1', 0)
        t.after(() => upstream.close())
        const app = startCommand(t, 'app/main.ts', [
          ...['--port', '0', '--admin-port', '0', '--step', 'compute', '--apm', 'none'],
          ...['--serialization', serialization, '--orders-url', ordersUrl, ...logFlags(t)],
        ])
        const url = (await app.line(/\(http\)/)).split(' ').at(-2)
        const response = await fetch(`${url}/demo`)
        assert.equal(response.status, 502)
        assert.equal(((await response.json()) as { code: string }).code, 'UPSTREAM_FAILED')
      })
    }
  }
})

describe('a closed loop of 50 clients', () => {
  for (const compute of ['inline', 'threads', 'processes'] as const) {
    test(`is served in turn by compute/${compute}`, async t => {
      const { composition } = steps[0] as (typeof steps)[0]
      const { url } = await start(t, {
        composition: { ...composition, compute, apm: 'none', logging: 'none' },
      })
      const served = new Array<number>(50).fill(0)
      let total = 0
      await Promise.all(
        served.map(async (_, client) => {
          while (total < 1000) {
            await (await fetch(`${url}/cpu?size=8&seed=${client}`)).arrayBuffer()
            served[client] = (served[client] as number) + 1
            total++
          }
        }),
      )
      const [least, most] = [Math.min(...served), Math.max(...served)]
      assert.ok(least >= 10 && most <= 30, `20 answers each are fair; the clients got ${least} to ${most}`)
    })
  }
})

describe('the commands', () => {
  const commands = ['stack/main.ts', 'loadtest/main.ts', 'app/main.ts', 'orders/main.ts', 'apm-agent/main.ts']
  for (const file of commands) {
    test(`${file} --help describes its options`, async () => {
      const { stdout, code } = await runCommand(file, ['--help'])
      assert.equal(code, 0)
      assert.match(stdout, /^Usage: .*\n\n.*\n/)
    })

    test(`${file} answers an unknown option with one line`, async () => {
      const { stderr, code } = await runCommand(file, ['--no-such-option'])
      assert.equal(code, 1)
      assert.match(stderr, /^error: .*no-such-option.*\n$/)
    })
  }

  for (const logging of ['winston', 'pino', 'pino-transport', 'sidecar']) {
    test(`a place that ${logging} cannot write to is one line that names the option`, async () => {
      const nowhere = ['--log-file', import.meta.filename, '--log-dir', import.meta.filename]
      const flags = ['--port', '0', '--admin-port', '0', '--apm', 'none', '--logging', logging, ...nowhere]
      const { stderr, code } = await runCommand(
        'app/main.ts',
        flags.map(flag => flag.replace(/\.ts$/, '.ts/below')),
      )
      assert.equal(code, 1)
      assert.match(stderr, /^error: cannot (use|write log lines to) .*--log-(file|dir)\n$/)
    })
  }

  test('a word that means nothing is one line', async () => {
    const { stderr, code } = await runCommand('stack/main.ts', ['monolith'])
    assert.equal(code, 1)
    assert.match(stderr, /^error: "monolith" means nothing here; --help lists the options\n$/)
  })

  test('a bad value in the environment is one line that names the variable', async () => {
    const { stderr, code } = await runCommand('app/main.ts', [], { REQUEST_TIMEOUT: 'soon' })
    assert.equal(code, 1)
    assert.match(stderr, /^error: REQUEST_TIMEOUT expects a duration .*"soon"\n$/)
  })

  test('the app starts without a warning at every step', async t => {
    const upstream = createServer((_request, response) => response.end())
    const ordersUrl = await listen(upstream, '127.0.0.1', 0)
    t.after(() => upstream.close())
    for (const { name } of steps) {
      const app = startCommand(t, 'app/main.ts', [
        '--port',
        '0',
        '--admin-port',
        '0',
        '--step',
        name,
        '--orders-url',
        ordersUrl,
        ...logFlags(t),
      ])
      await Promise.all([app.line(/\(admin\)/), once(upstream, 'connection')])
      assert.equal(app.lines.filter(line => !/^app listens on /.test(line)).join('\n'), '', name)
    }
  })
})
