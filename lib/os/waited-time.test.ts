import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { describe, test } from 'node:test'
import { readThreadId, readWaitedMs } from './waited-time.ts'

describe('the time that a thread has waited for a core', { skip: !existsSync('/proc/thread-self') }, () => {
  test('is told for a thread of this process, and never falls', () => {
    const id = readThreadId()
    const before = readWaitedMs(id)
    assert.ok(before >= 0 && before < performance.now() + 1000, `${before} ms`)
    assert.ok(readWaitedMs(id) >= before)
  })

  test('is 0 for a thread that has ended', () => {
    assert.equal(readWaitedMs(2 ** 30), 0)
    assert.equal(readWaitedMs(undefined), 0)
  })
})
