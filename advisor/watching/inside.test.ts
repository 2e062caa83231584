import assert from 'node:assert/strict'
import { channel } from 'node:diagnostics_channel'
import fs from 'node:fs'
import { Server } from 'node:http'
import type { Debugger } from 'node:inspector'
import { Session } from 'node:inspector/promises'
import { test } from 'node:test'
import { runInThisContext } from 'node:vm'
import { INSIDE_URL, insideExpression } from './inside.ts'

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

test('code inside of a thread stops by itself when nobody has asked it to stay for 30 seconds', t => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { parse, stringify } = JSON
  const requests = channel('http.server.request.start')
  const inside = runInThisContext(insideExpression(false))
  t.after(() => inside.stop())
  inside.wrap()
  t.mock.timers.tick(29_000)
  inside.stay()
  t.mock.timers.tick(29_000)
  assert.ok(JSON.parse !== parse && JSON.stringify !== stringify && requests.hasSubscribers)
  t.mock.timers.tick(1000)
  assert.ok(JSON.parse === parse && JSON.stringify === stringify && !requests.hasSubscribers)
})

test('process.stdout.write is wrapped once the program asks for the stream, and is taken back', t => {
  const real = Object.getOwnPropertyDescriptor(process, 'stdout')
  const written: string[] = []
  const stream = { write: (text: string) => written.push(text) }
  const { write } = stream
  Object.defineProperty(process, 'stdout', { configurable: true, get: () => stream })
  t.after(() => Object.defineProperty(process, 'stdout', real as PropertyDescriptor))
  const inside = runInThisContext(insideExpression(false))
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
  const inside = runInThisContext(insideExpression(false))
  t.after(() => inside.stop())
  inside.wrap()
  assert.notEqual(StatementSync.prototype.all, all)
  inside.stop()
  assert.equal(StatementSync.prototype.all, all)
})

test('lines to stdout are held back while they cost nothing, and are written afterwards, in order', t => {
  const real = Object.getOwnPropertyDescriptor(process, 'stdout')
  const written: string[] = []
  const stream = { write: (text: string) => written.push(text) }
  const { write } = stream
  Object.defineProperty(process, 'stdout', { configurable: true, get: () => stream })
  t.after(() => Object.defineProperty(process, 'stdout', real as PropertyDescriptor))
  const inside = runInThisContext(insideExpression(false))
  t.after(() => inside.stop())
  inside.begin('stdout')
  assert.deepEqual(
    [process.stdout.write('one'), fs.writeSync(1, ''), process.stdout.write('two')],
    [true, 0, true],
  )
  assert.deepEqual(written, [])
  inside.end()
  assert.deepEqual([written, stream.write], [['one', 'two'], write])
})

test('functions that an instrumentation has wrapped are called without it, and the wrappers come back', t => {
  const { emit } = Server.prototype
  const wrapper = Object.assign(() => false, { __original: emit })
  Server.prototype.emit = wrapper
  t.after(() => {
    Server.prototype.emit = emit
  })
  const inside = runInThisContext(insideExpression(false))
  t.after(() => inside.stop())
  assert.deepEqual(inside.begin('apm'), ['http.Server.prototype.emit'])
  assert.equal(Server.prototype.emit, emit)
  inside.end()
  assert.equal(Server.prototype.emit, wrapper)
})
