import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { watchProcess } from '../watching/watch-process.ts'
import { askProgram, never, options, startProgram } from './attach.fixture.ts'
import { listeningPorts, treeMicros, watchDescendants } from './proc.ts'

const filesOf = (pid: number) => readdirSync(`/proc/${pid}/fd`).length

test(
  'watching sees all threads, and leaves no port, listener, wrapper or file, also if it fails; it can be repeated',
  options,
  async t => {
    const child = await startProgram(t)
    const pid = child.pid as number
    const before = await askProgram(child)
    const files: number[] = []
    const failed = new Error('stopped')
    for (const fails of [false, true, false]) {
      const watching = watchProcess(pid, never(), async watched => {
        assert.deepEqual(await askProgram(child), { isUnwrapped: true, hasSubscribers: true })
        if (fails) throw failed
        const windows = await watched.profile(1)
        const threads = windows.map(({ thread }) => thread)
        assert.deepEqual(threads, ['main', 'worker 1'])
        assert.ok(windows.every(({ profile }) => profile.samples?.length))
      })
      await (fails ? assert.rejects(watching, failed) : watching)
      assert.deepEqual(listeningPorts(pid), [])
      assert.deepEqual(await askProgram(child), before)
      files.push(filesOf(pid))
    }
    assert.equal(files[2], files[0])
  },
)

test('an inspector that was open before stays open', options, async t => {
  const child = await startProgram(t, ['--inspect=127.0.0.1:0'])
  const pid = child.pid as number
  const ports = listeningPorts(pid)
  assert.equal(ports?.length, 1)
  await watchProcess(pid, never(), watched => watched.measure(1))
  assert.deepEqual(listeningPorts(pid), ports)
})

test('ports on which a process listens are its own, on any address', options, async t => {
  for (const host of ['127.0.0.1', '::1']) {
    const server = createServer().listen(0, host)
    t.after(() => server.close())
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    assert.ok(listeningPorts(process.pid)?.includes(port), host)
  }
  const child = await startProgram(t)
  assert.deepEqual(listeningPorts(child.pid as number), [])
})

/** A child process of the shell that uses 100 ms of CPU time and ends. */
const SHELL = `"$0" --eval 'while (process.cpuUsage().user < 100_000);'; echo ended; read line`

test('the total CPU time of a process has that of its child processes which have ended', options, async t => {
  const shell = spawn('sh', ['-c', SHELL, process.execPath], { stdio: ['pipe', 'pipe', 'ignore'] })
  t.after(() => shell.kill())
  await once(shell.stdout, 'data')
  const micros = treeMicros(shell.pid as number) ?? 0
  assert.ok(micros >= 80_000, String(micros))
})

/** Prints its id after it has used 300 ms of CPU time, and ends with its parent. */
const WORKER = `while (process.cpuUsage().user < 300_000);
console.log(process.pid)
process.stdin.resume()`

/** Starts a worker for each line that it gets. */
const PRIMARY = `const { spawn } = require('node:child_process')
const stdio = ['pipe', 'inherit', 'inherit']
process.stdin.on('data', () => spawn(process.execPath, ['--eval', ${JSON.stringify(WORKER)}], { stdio }))
console.log('ready')`

test('a process that only starts others is told from the one that does the work', options, async t => {
  const primary = spawn(process.execPath, ['--eval', PRIMARY], { stdio: ['pipe', 'pipe', 'inherit'] })
  t.after(() => primary.kill())
  await once(primary.stdout, 'data')
  const findBusier = watchDescendants(primary.pid as number)
  assert.equal(findBusier(), undefined)
  primary.stdin.write('.')
  const [worker] = await once(primary.stdout, 'data')
  const { pid, cpuMicros, ownMicros } = findBusier() ?? assert.fail('the worker is not found')
  assert.equal(pid, Number(worker))
  assert.ok(cpuMicros > 2 * ownMicros)
})
