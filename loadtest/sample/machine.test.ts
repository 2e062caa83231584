import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { describe, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import {
  compareReadings,
  listChildren,
  listDescendants,
  parseMachine,
  parsePss,
  watchMachine,
} from './machine.ts'
import { listThreads, parseWaiting } from './threads.ts'

const skip = process.platform !== 'linux' && 'no /proc'

/** Process ids are smaller than 2 to the power of 22. */
const NO_PROCESS = 2 ** 23

describe('the machine', () => {
  test('is read from the first line of /proc/stat', () => {
    const stat = 'cpu  100 20 30 800 40 5 6 7 9 9\ncpu0 1 2 3 4 5 6 7 8 9 10\n'
    assert.deepEqual(parseMachine(stat), { busy: 161, stolen: 7, total: 1008 })
  })

  test('gives its shares of steal and of others, which are neither ours nor idle', () => {
    const before = { total: 1000, busy: 100, stolen: 10, own: new Map([[1, 50]]), waiting: null }
    const own = new Map([[1, 90], [2, 10]]) // biome-ignore format: a table
    const after = { total: 1200, busy: 180, stolen: 20, own, waiting: null }
    assert.deepEqual(compareReadings(before, after), {
      stealShare: 0.05,
      othersShare: 0.15,
      ownShare: 0.25,
      waitRatio: null,
    })
    const exact = compareReadings(before, { ...after, busy: 101 })
    assert.equal(exact.othersShare, 0)
  })

  test('tells how long threads waited for a core, for each millisecond that they ran', () => {
    const machine = { total: 0, busy: 0, stolen: 0, own: new Map() }
    const after = { ...machine, total: 100, waiting: parseWaiting('9000 7000 12\n') }
    const before = { ...machine, waiting: parseWaiting('5000 1000 3\n') }
    assert.equal(compareReadings(before, after).waitRatio, 1.5)
    assert.equal(compareReadings({ ...before, waiting: null }, after).waitRatio, null)
  })

  test('knows the processes that a process has started, and not what those have started', {
    skip,
  }, async t => {
    const child = spawn('sh', ['-c', 'sleep 60 & echo started; wait'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    t.after(() => {
      for (const pid of [...listDescendants(child.pid), child.pid as number]) process.kill(pid)
    })
    await once(child.stdout, 'data')
    const [grandchild] = listChildren(child.pid as number)
    const children = listChildren(process.pid)
    assert.ok(children.includes(child.pid as number))
    assert.ok(grandchild !== undefined && !children.includes(grandchild))
  })

  test('does not count as others what this process does', { skip }, () => {
    const read = watchMachine([process.pid])
    const untilMs = performance.now() + 300
    while (performance.now() < untilMs) Math.hypot(1, 2)
    const use = read()
    assert.ok(use && use.othersShare >= 0 && use.othersShare <= 1 && use.stealShare >= 0)
    if (existsSync(`/proc/${process.pid}/schedstat`)) assert.ok((use.waitRatio as number) >= 0)
    assert.equal(watchMachine([NO_PROCESS])()?.waitRatio, null)
  })
})

const ROLLUP = `55e1b16dd000-7ffdeffc9000 ---p 00000000 00:00 0                          [rollup]
Rss:                2172 kB
Pss:                 837 kB
Pss_Dirty:           152 kB
`

test('the memory of a process is read from smaps_rollup, and not made up where it is missing', () => {
  assert.equal(parsePss(ROLLUP), 837 * 1024)
  assert.throws(() => parsePss(''), RangeError)
})

test('threads are found by their name', { skip }, async t => {
  const before = listThreads(process.pid, 'of-a-test')
  const worker = new Worker('setInterval(() => {}, 1000)', { eval: true, name: 'of-a-test' })
  t.after(() => worker.terminate())
  await once(worker, 'online')
  assert.deepEqual([before.length, listThreads(process.pid, 'of-a-test').length], [0, 1])
})
