import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { listThreads } from './threads.ts'

const skip = process.platform !== 'linux' && 'only Linux tells about threads'

test('threads are found by their name', { skip }, async t => {
  const before = listThreads(process.pid, 'of-a-test')
  const worker = new Worker('setInterval(() => {}, 1000)', { eval: true, name: 'of-a-test' })
  t.after(() => worker.terminate())
  await once(worker, 'online')
  assert.deepEqual([before.length, listThreads(process.pid, 'of-a-test').length], [0, 1])
})
