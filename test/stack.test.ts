import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { before, describe, test } from 'node:test'
import { computesHere } from '../app/concerns/compute/here.fixture.ts'
import { namesOf } from '../app/concerns.ts'
import { steps } from '../app/steps.ts'
import { firstUpdate } from './live-events.ts'
import { FREE_PORTS } from './places.ts'
import {
  type CommandLine,
  childrenOf,
  gone,
  type Outcome,
  runCommand,
  runCommandLines,
  startCommand,
} from './run-command.ts'
import { frugalFlags, serveDemo, start } from './start-stack.ts'

/** The first step with the implementation of apm that has the least work, which is the first of the list. */
const [apm] = namesOf('apm')
const withoutApm = { ...(steps[0] as (typeof steps)[0]).composition, ...(apm && { apm }) }

describe('the stack', () => {
  for (const { name, composition } of steps) {
    test(`serves the demo at step ${name}, and loses no line and no telemetry when it stops, without a warning`, t =>
      serveDemo(t, composition))
  }

  test('keeps credentials of a collector out of the command lines of its processes', async t => {
    const secret = 'http://user:a-password@127.0.0.1:9'
    const { stack } = await start(t, {
      composition: (steps.at(-1) as (typeof steps)[0]).composition,
      apmAgent: { collectorUrl: secret },
      loggerTransport: { otlpUrl: secret, targets: ['file', 'otlp'] },
    })
    for (const { pid, name } of stack.processes) {
      const commandLine = existsSync(`/proc/${pid}`) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : ''
      assert.doesNotMatch(commandLine, /a-password/, name)
    }
  })

  test('finishes the request in flight on SIGTERM, then refuses new connections', async t => {
    const { stack, url } = await start(t, { composition: withoutApm, orders: { latencyMs: 200 } })
    const asked = get(`${url}/serialization?orders=1`)
    const response = once(asked, 'response')
    await once(asked, 'finish')
    await fetch(`${url}/hello`)
    const stopped = stack.stop()
    const [answer] = (await response) as [IncomingMessage]
    assert.equal(answer.statusCode, 200)
    assert.match(await text(answer), /"orders":\[\{/)
    await stopped
    await assert.rejects(fetch(`${url}/hello`))
    await Promise.all(stack.processes.map(({ pid }) => gone(pid)))
  })

  for (const { name, composition } of steps.slice(-3))
    test(`finishes the page in flight on SIGTERM at step ${name}`, async t => {
      const { stack, url } = await start(t, { composition, orders: { latencyMs: 200 } })
      const asked = get(`${url}/page?seed=1&orders=200`)
      const response = once(asked, 'response')
      await once(asked, 'finish')
      await fetch(`${url}/hello`)
      const stopped = stack.stop()
      const [answer] = (await response) as [IncomingMessage]
      assert.equal(answer.statusCode, 200)
      assert.match(await text(answer), /<\/html>$/)
      await stopped
      await Promise.all(stack.processes.map(({ pid }) => gone(pid)))
    })

  test('ends with exit code 0 on SIGINT and leaves no process behind', async t => {
    const started = startCommand(t, 'stack/main.ts', [
      ...FREE_PORTS,
      '--compute',
      computesHere.at(-1) as string,
      ...frugalFlags(t),
    ])
    await started.line(/app \(admin\)/)
    const members = childrenOf(started.child.pid as number)
    started.child.kill('SIGINT')
    assert.deepEqual(await started.ended, [0, null])
    await Promise.all(members.map(gone))
  })

  test('keeps a steady load on the app with --load, and stops in order when all its processes get a signal', async t => {
    const flags = [...FREE_PORTS, ...frugalFlags(t), '--load', '5', '--scenario', 'page']
    const started = startCommand(t, 'stack/main.ts', flags, { detached: true })
    const url = (await started.line(/^ +watch /)).split(' ').at(-1) as string
    // The app counts an answer before the generator does.
    const { note, update } = await firstUpdate(
      url,
      ({ latencyAt, latencyMs }) => latencyAt === 'client' && latencyMs !== null,
    )
    assert.deepEqual([note, update.bad], ['5 connections ask for /page', 0])
    const members = childrenOf(started.child.pid as number)
    const { length } = started.lines
    process.kill(-(started.child.pid as number), 'SIGTERM')
    assert.deepEqual(await started.ended, [0, null])
    await Promise.all(members.map(gone))
    await started.line(/^load: /)
    assert.deepEqual(
      started.lines.slice(length).map(line => line.replace(/[1-9]\d* good/, 'some good')),
      ['load: some good answers, 0 errors, 0 wrong bodies'],
    )
  })
})

describe('the upstream', () => {
  test('that is too slow causes a 504 before it has answered, and one that is absent a 502', async t => {
    const { url, orders } = await start(t, {
      composition: withoutApm,
      orders: { latencyMs: 5000 },
      app: { ordersTimeoutMs: 100 },
    })
    const ask = async () => {
      const response = await fetch(`${url}/demo`)
      return [response.status, ((await response.json()) as { code: string }).code]
    }
    assert.deepEqual(await ask(), [504, 'UPSTREAM_TIMEOUT'])
    orders.knockOut(new Promise(() => {}))
    await orders.died
    assert.deepEqual(await ask(), [502, 'UPSTREAM_FAILED'])
  })

  test('that hangs gets no more calls, even when requests have less time than a call', async t => {
    const { url } = await start(t, {
      composition: withoutApm,
      orders: { latencyMs: 60_000 },
      app: { requestTimeoutMs: 1000 },
    })
    const codeOf = async () => ((await (await fetch(`${url}/demo`)).json()) as { code: string }).code
    await Promise.all(Array.from({ length: 20 }, codeOf))
    assert.equal(await codeOf(), 'UPSTREAM_UNAVAILABLE')
  })
})

describe('the commands', () => {
  const files = ['stack/main.ts', 'loadtest/main.ts', 'app/main.ts', 'orders/main.ts', 'apm-agent/main.ts']
  let outcomes: readonly Outcome[]
  before(async () => {
    outcomes = await runCommandLines(
      ['--help', '--no-such-option'].flatMap(flag => files.map((file): CommandLine => [file, flag])),
    )
  })
  for (const [index, file] of files.entries()) {
    test(`${file} --help describes its options`, () => {
      const { stdout, code } = outcomes[index] as Outcome
      assert.equal(code, 0)
      assert.match(stdout, /^Usage: .*\n\n.*\n/)
    })

    test(`${file} answers an unknown option with one line`, () => {
      const { stderr, code } = outcomes[files.length + index] as Outcome
      assert.equal(code, 1)
      assert.match(stderr, /^error: .*no-such-option.*\n$/)
    })
  }

  test('help is the whole output of a process, which ends with exit code 0', async () => {
    const { stdout, stderr, code } = await runCommand('orders/main.ts', ['--help'])
    assert.deepEqual([stdout, stderr, code], [outcomes[files.indexOf('orders/main.ts')]?.stdout, '', 0])
  })

  test('an unexpected argument is reported in one line', async () => {
    const { stderr, code } = await runCommand('stack/main.ts', ['monolith'])
    assert.equal(code, 1)
    assert.match(stderr, /^error: unexpected argument "monolith"; --help lists the options\n$/)
  })

  for (const flags of [['--load'], ['--load', '--step', '0']])
    test(`${flags.join(' ')} says which number is missing`, async () => {
      const { stderr, code } = await runCommand('stack/main.ts', flags)
      assert.equal(code, 1)
      assert.match(stderr, /^error: --load expects an integer from 1 to 1000, received ""\n$/)
    })

  test('a bad value in the environment is reported in one line that names the variable', async () => {
    const { stderr, code } = await runCommand('app/main.ts', [], { DMT_REQUEST_TIMEOUT: 'soon' })
    assert.equal(code, 1)
    assert.match(stderr, /^error: DMT_REQUEST_TIMEOUT expects a duration .*"soon"\n$/)
  })
})
