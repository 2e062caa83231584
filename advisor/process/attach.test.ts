import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { watchProcess } from '../watching/watch-process.ts'
import { listeningPorts } from './proc.ts'

const options = { skip: process.platform !== 'linux' && 'processes are watched on Linux only' }

/**
 * A program that prints, on each line that it gets, what watching could have left: wrappers of JSON, listeners of the
 * requests' channel, and requests that it has counted itself.
 */
const PROGRAM = `
const { channel } = require('node:diagnostics_channel')
const [parse, stringify] = [JSON.parse, JSON.stringify]
const { Worker } = require('node:worker_threads')
new Worker('setInterval(() => {}, 1000)', { eval: true }).on('online', () => console.log('ready'))
process.stdin.on('data', () => console.log(stringify({
  isUnwrapped: JSON.parse === parse && JSON.stringify === stringify,
  hasSubscribers: channel('http.server.request.start').hasSubscribers,
})))
`

async function startProgram(t: TestContext, flags: readonly string[] = []): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--inspect-port=0', ...flags, '--eval', PROGRAM], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  t.after(() => child.kill('SIGKILL'))
  await once(child.stdout as NonNullable<typeof child.stdout>, 'data')
  return child
}

async function askProgram(child: ChildProcess): Promise<unknown> {
  child.stdin?.write('?\n')
  const [answer] = await once(child.stdout as NonNullable<typeof child.stdout>, 'data')
  return JSON.parse(String(answer))
}

const filesOf = (pid: number) => readdirSync(`/proc/${pid}/fd`).length
const never = () => new AbortController().signal

test(
  'watching sees all threads, and leaves no port, listener, wrapper or file; it can be repeated',
  options,
  async t => {
    const child = await startProgram(t)
    const pid = child.pid as number
    const before = await askProgram(child)
    const files: number[] = []
    for (let round = 0; round < 2; round++) {
      const windows = await watchProcess(pid, never(), async watched => {
        assert.deepEqual(await askProgram(child), { isUnwrapped: true, hasSubscribers: true })
        return watched.profile(1)
      })
      assert.deepEqual(
        windows.map(({ thread }) => thread),
        ['main', 'worker 1'],
      )
      assert.deepEqual(listeningPorts(pid), [])
      assert.deepEqual(await askProgram(child), before)
      files.push(filesOf(pid))
    }
    assert.equal(files[1], files[0])
  },
)

test('watching that fails leaves nothing either', options, async t => {
  const child = await startProgram(t)
  const pid = child.pid as number
  await assert.rejects(
    watchProcess(pid, never(), () => Promise.reject(new Error('stopped'))),
    /^Error: stopped$/,
  )
  assert.deepEqual(listeningPorts(pid), [])
  assert.deepEqual(await askProgram(child), { isUnwrapped: true, hasSubscribers: false })
})

test('a process that refuses gets one line that says what to do, and lives on', options, async t => {
  const child = await startProgram(t, ['--disable-sigusr1'])
  const watch = (pid: number) => watchProcess(pid, never(), async () => {})
  await assert.rejects(watch(child.pid as number), {
    name: 'UserError',
    message: /does not take SIGUSR1.*--inspect/,
  })
  assert.equal(child.exitCode, null)
  const other = spawn('sleep', ['60'])
  t.after(() => other.kill())
  await once(other, 'spawn')
  await assert.rejects(watch(other.pid as number), { name: 'UserError', message: /is not Node\.js/ })
  await assert.rejects(watch(2 ** 22), { name: 'UserError', message: /there is no process/ })
})

test('an inspector that was open before stays open', options, async t => {
  const child = await startProgram(t, ['--inspect=127.0.0.1:0'])
  const pid = child.pid as number
  const ports = listeningPorts(pid)
  assert.equal(ports?.length, 1)
  await watchProcess(pid, never(), watched => watched.measure(1))
  assert.deepEqual(listeningPorts(pid), ports)
})

test('ports on which a process listens are its own', options, async t => {
  const server = createServer().listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  assert.ok(listeningPorts(process.pid)?.includes(port))
  const child = await startProgram(t)
  assert.deepEqual(listeningPorts(child.pid as number), [])
})
