import assert from 'node:assert/strict'
import { test } from 'node:test'
import { watchThreads } from './thread-times.ts'

test('the CPU time of threads counts from the beginning of the watch, by process and name of the thread', {
  skip: process.platform !== 'linux' && 'only Linux tells the CPU time of threads',
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
