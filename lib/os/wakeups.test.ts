import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseWakeups, readWakeups } from './wakeups.ts'

test('the wake-ups of a thread are read from its status', () => {
  const status = 'Threads:\t11\nvoluntary_ctxt_switches:\t150\nnonvoluntary_ctxt_switches:\t545\n'
  assert.equal(parseWakeups(status), 150)
  assert.equal(parseWakeups('Threads:\t11\n'), null)
})

test('a sleep of this thread is a wake-up of it', {
  skip: readWakeups() === null && 'needs /proc',
}, () => {
  const before = readWakeups() as number
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
  assert.ok((readWakeups() as number) > before)
})
