import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { listThreads, watchThreads } from './thread-times.ts'

const skip = process.platform !== 'linux' && 'only Linux tells about threads'

test('the CPU time of threads counts from the beginning of the watch, by process and name of the thread', {
  skip,
}, () => {
  const read = watchThreads([{ name: 'this', pid: process.pid }])
  const before = process.threadCpuUsage()
  while (process.threadCpuUsage(before).user < 20_000);
  const times = read()
  const main = times?.find(({ thread }) => thread.includes('Main'))
  assert.equal(main?.process, 'this')
  const spent = process.threadCpuUsage(before)
  assert.ok(main && main.cpuMicros > 15_000 && main.cpuMicros < 1.1 * (spent.user + spent.system) + 5000)
})

test('a process that has ended tells nothing', () => {
  assert.equal(watchThreads([{ name: 'gone', pid: 2 ** 22 + 1 }])(), null)
})

test('threads are found by their name', { skip }, async t => {
  const before = listThreads(process.pid, 'of-a-test')
  const worker = new Worker('setInterval(() => {}, 1000)', { eval: true, name: 'of-a-test' })
  t.after(() => worker.terminate())
  await once(worker, 'online')
  assert.deepEqual([before.length, listThreads(process.pid, 'of-a-test').length], [0, 1])
})
