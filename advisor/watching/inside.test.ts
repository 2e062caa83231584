import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { channel } from 'node:diagnostics_channel'
import { once } from 'node:events'
import fs from 'node:fs'
import { Server } from 'node:http'
import type { Debugger } from 'node:inspector'
import { Session } from 'node:inspector/promises'
import { text as readText } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { runInThisContext } from 'node:vm'
import { trace } from '@opentelemetry/api'
import { TracerProvider } from '@opentelemetry/sdk-trace'
import { INSIDE_URL, type Inside, insideExpression } from './inside.ts'

test('functions that watch are in a script whose name profiles show even where V8 has inlined them', async t => {
  const session = new Session()
  session.connect()
  t.after(() => session.disconnect())
  const scripts: Debugger.ScriptParsedEventDataType[] = []
  session.on('Debugger.scriptParsed', ({ params }) => scripts.push(params))
  await session.post('Debugger.enable')
  const { result } = await session.post('Runtime.evaluate', { expression: insideExpression(false) })
  const stop = { objectId: result.objectId as string, functionDeclaration: 'function() { this.stop() }' }
  await session.post('Runtime.callFunctionOn', stop)
  const [inside, ...others] = scripts.filter(({ url }) => url === INSIDE_URL)
  assert.deepEqual(others, [])
  // A name by a comment is lost in inlined functions.
  assert.equal(inside?.hasSourceURL, false)
})

/** Watches this thread until the test ends. */
function start(t: TestContext): Inside {
  const inside: Inside = runInThisContext(insideExpression(false))
  t.after(() => inside.stop())
  return inside
}

test('code inside of a thread stops by itself when nobody has asked it to stay for 30 seconds', t => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { parse, stringify } = JSON
  const requests = channel('http.server.request.start')
  const inside = start(t)
  inside.wrap()
  t.mock.timers.tick(29_000)
  inside.stay()
  t.mock.timers.tick(29_000)
  assert.ok(JSON.parse !== parse && JSON.stringify !== stringify && requests.hasSubscribers)
  t.mock.timers.tick(1000)
  assert.ok(JSON.parse === parse && JSON.stringify === stringify && !requests.hasSubscribers)
})

/** Puts a stream that keeps what is written in the place of stdout, until the test ends. */
function replaceStdout(t: TestContext) {
  const real = Object.getOwnPropertyDescriptor(process, 'stdout')
  const written: string[] = []
  const stream = { write: (text: string) => written.push(text) }
  const { write } = stream
  Object.defineProperty(process, 'stdout', { configurable: true, get: () => stream })
  t.after(() => Object.defineProperty(process, 'stdout', real as PropertyDescriptor))
  return { stream, write, written }
}

test('process.stdout.write is wrapped once the program asks for the stream, and is taken back', t => {
  const { stream, write, written } = replaceStdout(t)
  const inside = start(t)
  inside.wrap()
  assert.equal(stream.write, write)
  process.stdout.write('a line')
  assert.notEqual(stream.write, write)
  inside.stop()
  assert.equal(stream.write, write)
  assert.deepEqual(written, ['a line'])
})

test('calls of node:sqlite are wrapped if the program has loaded it, and are taken back', async t => {
  const { StatementSync } = await import('node:sqlite')
  const { all } = StatementSync.prototype
  const inside = start(t)
  inside.wrap()
  assert.notEqual(StatementSync.prototype.all, all)
  inside.stop()
  assert.equal(StatementSync.prototype.all, all)
})

test('lines to stdout are held back while they cost nothing, and are written afterwards, in order', t => {
  const { stream, write, written } = replaceStdout(t)
  const inside = start(t)
  inside.begin('stdout')
  const answers = [process.stdout.write('one'), fs.writeSync(1, ''), process.stdout.write('two')]
  assert.deepEqual([answers, written], [[true, 0, true], []])
  inside.end()
  assert.deepEqual([written, stream.write], [['one', 'two'], write])
})

test('a change is taken back for whoever imports by name, however it ends', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { writeSync } = fs
  const names = await import('node:fs')
  const inside = start(t)
  const ends = {
    'at the end of a turn': () => inside.end(),
    'when watching ends': () => inside.stop(),
    'when nobody has ended the turn': () => t.mock.timers.tick(5000),
  }
  for (const [when, end] of Object.entries(ends)) {
    const listeners = process.listenerCount('exit')
    inside.begin('stdout')
    assert.notEqual(names.writeSync, writeSync, when)
    end()
    assert.deepEqual([names.writeSync, fs.writeSync], [writeSync, writeSync], when)
    assert.equal(process.listenerCount('exit'), listeners, when)
  }
})

const WATCHED = `
const { insideExpression } = await import(${JSON.stringify(new URL('inside.ts', import.meta.url).href)})
const { default: fs } = await import('node:fs')
const inside = (await import('node:vm')).runInThisContext(insideExpression(false))
const { writeSync } = fs
const line = text => text.padEnd(999) + '\\n'
inside.begin('stdout')
`
const ended = "inside.end()\nif (fs.writeSync !== writeSync) throw new Error('it is not taken back')\n"

const bytes = "const bytes = Buffer.from('two\\n')"
for (const [what, text, count] of [
  [
    'of a process that exits',
    "console.log('one'); process.on('exit', () => console.log('two')); process.exit()",
    2,
  ],
  [
    'that a slow reader has no room for',
    `for (let at = 0; at < 1000; at++) fs.writeSync(1, line('x'))\n${ended}`,
    1000,
  ],
  [
    'whose memory is used again',
    `console.log('one'); ${bytes}; process.stdout.write(bytes, () => { bytes.fill('x'); ${ended} })`,
    2,
  ],
  [
    'before bytes for the descriptor',
    `console.log('one'); fs.writeSync(1, Buffer.from('-two\\n-'), 1, 4); ${ended}`,
    2,
  ],
  [
    'that is written without waiting',
    `console.log('one'); ${bytes}
fs.write(1, bytes, 0, 4, null, (_, count, data) => {
  if (count !== 4 || data !== bytes) throw new Error(String(count))
  bytes.fill('x')
  ${ended}
})`,
    2,
  ],
  [
    'beside what cannot be written',
    `process.stdout.write('x', 'no encoding'); console.log('one'); ${ended}`,
    1,
  ],
] as const) {
  test(`no line is lost ${what}`, async () => {
    const args = ['--input-type=module', '--eval', `${WATCHED}${text}`]
    const service = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const exited = once(service, 'exit')
    // Node.js throws away what nobody has asked for when a child exits.
    service.stdout.on('readable', () => {})
    // By now a pipe that nobody reads is full.
    await new Promise(resolve => setTimeout(resolve, 300))
    const lines = (await readText(service.stdout)).split('\n')
    assert.deepEqual(await exited, [0, null])
    assert.equal(lines.length - 1, count)
    if (count < 3) assert.deepEqual(lines, ['one', 'two'].slice(0, count).concat(''))
  })
}

test('functions that an instrumentation has wrapped are called without it, its channels are silent, and no span is recorded', t => {
  const { emit } = Server.prototype
  const wrapper = Object.assign(() => false, { __original: emit })
  Server.prototype.emit = wrapper
  const created = channel('undici:request:create')
  const hear = t.mock.fn()
  created.subscribe(hear)
  trace.setGlobalTracerProvider(new TracerProvider())
  const tracer = trace.getTracer('service')
  t.after(() => {
    Server.prototype.emit = emit
    created.unsubscribe(hear)
    trace.disable()
  })
  const see = () => {
    created.publish({})
    const isRecording = tracer.startSpan('request').isRecording()
    return [Server.prototype.emit, hear.mock.callCount(), isRecording]
  }
  const inside = start(t)
  const changed = [
    'http.Server.prototype.emit',
    "the sampler of OpenTelemetry's SDK",
    'the channels of undici',
  ]
  assert.deepEqual(inside.begin('apm'), changed)
  assert.deepEqual(see(), [emit, 0, false])
  inside.end()
  assert.deepEqual(see(), [wrapper, 1, true])
})
