import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { describe, test } from 'node:test'
import { type CoreTime, readCoreTime, readThreadId, readWakeups } from './usage.ts'

describe('the time that a thread had a core or waited for one', {
  skip: !existsSync('/proc/thread-self'),
}, () => {
  test('is told for a thread of this process, which runs, and never falls', () => {
    const id = readThreadId()
    const [before, after] = [readCoreTime(id), readCoreTime(id)] as [CoreTime, CoreTime]
    for (const name of ['cpuMs', 'waitedMs'] as const) {
      assert.ok(before[name] >= 0 && before[name] < performance.now() + 1000, `${name} ${before[name]}`)
      assert.ok(after[name] >= before[name])
    }
    assert.ok(after.isRunnable)
  })

  test('is not known for a thread that has ended', () => {
    assert.equal(readCoreTime(2 ** 30), undefined)
    assert.equal(readCoreTime(undefined), undefined)
  })
})

test('a sleep of this thread is a wake-up of it', {
  skip: readWakeups() === null && 'needs /proc',
}, () => {
  const before = readWakeups() as number
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
  assert.ok((readWakeups() as number) > before)
})
