import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import type { Profiler } from 'node:inspector'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { watchProcess } from '../watching/watch-process.ts'
import { askProgram, never, options, startProgram } from './attach.fixture.ts'
import { listeningAt, listeningPorts } from './proc.ts'

/** The fields that speedscope, cpupro and DevTools read of a profile, once it has been written as JSON. */
function assertOpensInViewers(written: Profiler.Profile) {
  const { nodes, samples, timeDeltas, startTime, endTime } = JSON.parse(JSON.stringify(written))
  const ids = new Set(nodes.map(({ id }: Profiler.ProfileNode) => id))
  assert.equal(nodes[0].callFrame.functionName, '(root)')
  assert.equal(ids.size, nodes.length)
  for (const { callFrame, children = [] } of nodes) {
    const types = Object.entries(callFrame).map(([key, value]) => [key, typeof value])
    assert.deepEqual(Object.fromEntries(types), CALL_FRAME)
    assert.ok(children.every((child: number) => ids.has(child)))
  }
  assert.ok(samples.every((sample: number) => ids.has(sample)))
  assert.equal(timeDeltas.length, samples.length)
  assert.ok(endTime >= startTime)
}
const CALL_FRAME = {
  functionName: 'string',
  scriptId: 'string',
  url: 'string',
  lineNumber: 'number',
  columnNumber: 'number',
}

const filesOf = (pid: number) => readdirSync(`/proc/${pid}/fd`).length

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
      for (const { profile } of windows) assertOpensInViewers(profile)
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
  assert.equal(listeningAt(process.pid)?.find(each => each.port === port)?.host, '127.0.0.1')
  const other = createServer().listen(0, '::1')
  t.after(() => other.close())
  await once(other, 'listening')
  assert.ok(listeningAt(process.pid)?.some(({ host }) => host === '::1'))
  const child = await startProgram(t)
  assert.deepEqual(listeningPorts(child.pid as number), [])
})
