import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { watchProcess } from '../watching/watch-process.ts'
import { never, options, PROGRAM, startProgram } from './attach.fixture.ts'
import { listeningPorts } from './proc.ts'

const watch = (pid: number) => watchProcess(pid, never(), async () => {})
const isRoot = process.getuid?.() === 0
const NOBODY = 65_534

test('a process that refuses gets one line that says what to do, and lives on', options, async t => {
  const child = await startProgram(t, ['--disable-sigusr1'])
  const other = spawn('sleep', ['60'])
  t.after(() => other.kill())
  await once(other, 'spawn')
  for (const [pid, message] of [
    [child.pid as number, /does not take SIGUSR1.*--inspect/],
    [other.pid as number, /is not Node\.js/],
    [2 ** 22, /there is no process/],
  ] as const)
    await assert.rejects(watch(pid), { name: 'UserError', message })
  assert.equal(child.exitCode, null)
})

test('a process of another user is refused in one line', {
  skip: options.skip || (!isRoot && 'only root can be somebody else'),
}, async t => {
  const child = await startProgram(t)
  // The process is looked at before anything is waited for.
  process.seteuid?.(NOBODY)
  const watching = watch(child.pid as number)
  process.seteuid?.(0)
  await assert.rejects(watching, { name: 'UserError', message: /another user: run this as that user/ })
})

/** A network of its own, with the user that this takes without root. */
const NETWORK = ['--net', ...(isRoot ? [] : ['--map-root-user'])]
const hasNetworks = spawnSync('unshare', [...NETWORK, 'true']).status === 0

test('a process in a network of its own, as in a container, is refused before anything is opened in it', {
  skip: options.skip || (!hasNetworks && 'this system makes no networks (unshare of util-linux)'),
}, async t => {
  const child = spawn('unshare', [...NETWORK, process.execPath, '--eval', PROGRAM], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  t.after(() => child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  const pid = child.pid as number
  await assert.rejects(watch(pid), { name: 'UserError', message: /in a container.*docker exec/ })
  assert.deepEqual(listeningPorts(pid), [])
})
