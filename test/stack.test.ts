import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, describe, test } from 'node:test'
import { lastStep, steps } from '../app/steps.ts'
import { patience } from '../app/test-options.fixture.ts'
import { toFlags } from '../lib/cli/command-line.ts'
import { findFreePort } from '../lib/http/listen.ts'
import { firstUpdate } from './live-events.ts'
import {
  type CommandLine,
  childrenOf,
  gone,
  type Outcome,
  runCommand,
  runCommandLines,
  startCommand,
} from './run-command.ts'
import { FREE_PORTS } from './stack-parts.ts'
import { answerDuringStop, frugalFlags, serveDemo, start } from './start-stack.ts'

describe('the stack', () => {
  // The other steps start the same processes as the step before.
  const others = ['compute', 'serialization', 'framework', 'rendering']
  for (const { name, composition } of steps.filter(({ name }) => !others.includes(name))) {
    // Threads compute at the other steps.
    const compute = name === lastStep.name ? 'processes' : composition.compute
    test(`serves the demo at step ${name}, also while it stops, and loses no line and no telemetry, without a warning`, t =>
      serveDemo(t, { ...composition, compute }))
  }

  test('finishes the page in flight when it is stopped', async t => {
    const { stack } = await start(t, {
      composition: { ...lastStep.composition, apm: 'none', logging: 'none' },
      orders: { latencyMs: 200 },
    })
    assert.match(await answerDuringStop(stack, '/page?seed=1&orders=200'), /<\/html>$/)
  })

  test('keeps a steady load on the app with --load, and stops in order on Ctrl-C, which all its processes get', async t => {
    // On a busy machine the app neither refuses a page nor gives it up.
    const patient = toFlags({ ...patience, maxWaitMs: patience.requestTimeoutMs })
    const flags = [
      ...FREE_PORTS,
      ...frugalFlags(t),
      ...patient,
      '--compute=piscina',
      '--load=5',
      '--scenario=page',
    ]
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
    process.kill(-(started.child.pid as number), 'SIGINT')
    assert.deepEqual(await started.ended, [0, null])
    await Promise.all(members.map(gone))
    await started.line(/^load: /)
    // On a busy machine a thread takes so long to end that the app warns of it.
    const said = started.lines.slice(length).filter(line => !/THREAD_STILL_RUNS|--trace-warnings/.test(line))
    assert.deepEqual(
      said.map(line => line.replace(/[1-9]\d* good/, 'some good')),
      ['load: some good answers, 0 errors, 0 wrong bodies'],
    )
  })
})

describe('the commands', () => {
  const files = ['stack/main.ts', 'loadtest/main.ts', 'app/main.ts', 'orders/main.ts', 'apm-agent/main.ts']
  const below = `${import.meta.filename}/below`
  const mistakes: readonly [CommandLine, RegExp][] = [
    [['stack/main.ts', 'monolith'], /^error: unexpected argument "monolith"; --help lists the options\n$/],
    [
      ['stack/main.ts', '--load', '--step', '0'],
      /^error: Option '--load' argument is ambiguous; --help .*\n$/,
    ],
    ...['winston', 'pino', 'pino-transport', 'sidecar'].map((logging): [CommandLine, RegExp] => [
      ['app/main.ts', '--threads=1', '--apm=none', ...toFlags({ logging, logFile: below, logDir: below })],
      /^error: cannot (use|write log lines to) .*--log-(file|dir)\n$/,
    ]),
  ]
  let outcomes: readonly Outcome[]
  before(async () => {
    outcomes = await runCommandLines([
      ...['--help', '--no-such-option'].flatMap(flag => files.map((file): CommandLine => [file, flag])),
      ...mistakes.map(([line]) => line),
    ])
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

  for (const [index, [line, says]] of mistakes.entries())
    test(`${line.join(' ')} is a mistake that is reported in one line`, () => {
      const { stderr, code } = outcomes[2 * files.length + index] as Outcome
      assert.equal(code, 1)
      assert.match(stderr, says)
    })

  test('a bad value in the environment is reported in one line that names the variable', async () => {
    const { stderr, code } = await runCommand('app/main.ts', [], { DMT_REQUEST_TIMEOUT: 'soon' })
    assert.equal(code, 1)
    assert.match(stderr, /^error: DMT_REQUEST_TIMEOUT expects a duration .*"soon"\n$/)
  })
})

describe('what starts and measures the branch of a step', () => {
  test('gives the host to the app alone, counts only right answers, delivers its lines, and leaves no process behind, not even a stopped one', async t => {
    const port = await findFreePort()
    const flags = [`--port=${port}`, `--step=${lastStep.name}`, ...frugalFlags(t)]
    const started = startCommand(t, 'stack/start.ts', flags, { env: { DMT_HOST: '127.0.0.2' } })
    await started.line(/^app +http:\/\/127\.0\.0\.2/)
    await started.line(/^orders +http:\/\/127\.0\.0\.1/)
    const children = childrenOf(started.child.pid as number)
    const urls = [`--url=http://127.0.0.2:${port}`, `--admin-url=http://127.0.0.1:${port + 2}`]
    const load = ['--connections=2', '--duration=1s', '--warm-up=0ms', ...urls]
    const measure = (path: string) => runCommand('loadtest/autocannon.ts', [`--path=${path}`, ...load])
    for (const { code, stdout, stderr } of await Promise.all(['/demo', '/page'].map(measure))) {
      assert.equal(code, 0, stderr)
      assert.match(stdout, /^right answers +[1-9]\d* a second \(0 wrong/)
      assert.match(stdout, /^main thread +[1-9]\d* µs a request/m)
    }
    const orders = children.find(pid => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('orders/'))
    process.kill(orders as number, 'SIGSTOP')
    started.child.kill('SIGINT')
    assert.deepEqual(await started.ended, [0, null])
    await Promise.all(children.map(gone))
    const logFile = flags.find(flag => flag.startsWith('--log-file='))?.split('=')[1] as string
    assert.match(readFileSync(logFile, 'utf8'), /"message":"order read"/)
  })

  test('says in one line that nothing listens', async () => {
    const { code, stderr } = await runCommand('loadtest/autocannon.ts', ['--url=http://127.0.0.1:1'])
    assert.equal(code, 1)
    assert.match(stderr, /^error: .*nothing listens there; start the app with "npm start"\n$/)
  })
})
