import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { lastStep } from '../app/steps.ts'
import { startStack } from '../stack/stack.ts'

test('the pool of libuv in the app has the size that is asked for', {
  skip: process.platform !== 'linux' && 'read from /proc',
}, async t => {
  const stack = await startStack({
    composition: { ...lastStep.composition, logging: 'none', apm: 'none' },
    app: { threads: 1, uvThreads: 6 },
  })
  t.after(() => stack.stop())
  const response = await fetch(`${stack.address('app')}/io`)
  assert.equal(response.status, 200)
  await response.arrayBuffer()
  const tasks = `/proc/${stack.processes.find(({ name }) => name === 'app')?.pid}/task`
  const names = readdirSync(tasks).map(id => readFileSync(`${tasks}/${id}/comm`, 'utf8').trim())
  assert.equal(names.filter(name => name === 'libuv-worker').length, 6)
})
