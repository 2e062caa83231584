import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from '../../lib/http/listen.ts'
import { listDescendants } from '../../loadtest/sample/machine.ts'
import { listeningPorts } from '../process/proc.ts'
import { complaintOf, directory, start } from './adversity.fixture.ts'

/** Starts a service that knows nothing of this command. @returns its id, and the ports on which it listens */
async function startAlone(t: TestContext, file = 'same.js', inspectorPort = 0) {
  const service = spawn(process.execPath, [`--inspect-port=${inspectorPort}`, file], {
    cwd: directory,
    env: { ...process.env, PORT: String(await findFreePort()) },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  t.after(() => service.kill('SIGKILL'))
  await once(service.stdout, 'data')
  const pid = service.pid as number
  return { service, pid, ports: listeningPorts(pid) }
}

test('Ctrl-C in the middle ends what was started, and closes what was opened', async t => {
  const { service, pid, ports } = await startAlone(t)
  const { child, ended } = start(['spectrum', '--attach', String(pid), '--for', '1m'])
  while (child.exitCode === null && listeningPorts(pid)?.length === ports?.length) await delay(10)
  child.kill('SIGINT')
  const { code, stderr } = await ended
  assert.equal(code, 1)
  assert.equal(stderr, 'error: stopped\n')
  assert.deepEqual(listeningPorts(pid), ports)
  assert.equal(service.exitCode, null)
})

test('a main thread that stands still is waited for, until a second Ctrl-C', async t => {
  const shut = join(directory, 'shut')
  writeFileSync(shut, '')
  const { service, pid } = await startAlone(t, 'blocking.js')
  const ports = listeningPorts(pid)
  const { child, ended } = start(['spectrum', '--attach', String(pid), '--for', '1m'])
  const [warning] = await once(child.stderr, 'data')
  assert.match(String(warning), /has not opened its inspector yet: .*synchronous call.*\n$/)
  rmSync(shut)
  while (listeningPorts(pid)?.length === ports?.length) await delay(10)
  writeFileSync(shut, '')
  service.kill('SIGUSR2')
  // It waits for a command now.
  while (listDescendants(pid).length === 0) await delay(10)
  while (child.exitCode === null) {
    child.kill('SIGINT')
    await delay(400)
  }
  assert.equal((await ended).code, 130)
})

test('a process whose inspector finds its port taken is refused in one line', async t => {
  const server = createServer().listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { pid } = await startAlone(t, 'same.js', port)
  assert.match(
    await complaintOf(['spectrum', '--attach', String(pid)]),
    new RegExp(`another process listens on its port ${port}: .*--inspect-port=0`),
  )
})

test('the primary of a cluster is refused, before its workers open their inspectors too', async t => {
  const { pid } = await startAlone(t, 'cluster.js', await findFreePort())
  const complaint = await complaintOf(['spectrum', '--attach', String(pid)])
  const [, worker] = /is the primary of a cluster.*--attach (\d+)$/.exec(complaint) ?? assert.fail(complaint)
  assert.deepEqual(listeningPorts(Number(worker)), [])
})
