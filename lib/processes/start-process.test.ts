import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { startProcess } from './start-process.ts'

/** Blocks this thread as if the process were stopped with SIGSTOP: nothing runs, and afterwards all timers are due. */
const pause = (forMs: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, forMs)

const orders = {
  name: 'orders',
  file: join(import.meta.dirname, '../../orders/main.ts'),
  flags: ['--port=0'],
}

describe('a process that is stopped while the stack stands still', () => {
  test('is not treated as a process that does not stop', async t => {
    const written = t.mock.method(process.stderr, 'write', () => true)
    const running = await startProcess({ ...orders, echo: false, stopLimitMs: 1000 })
    const stopped = running.stop()
    pause(1500)
    await stopped
    const exitCode = process.exitCode
    process.exitCode = 0
    assert.equal(exitCode ?? 0, 0)
    assert.equal(await running.ended, 'orders ended with 0')
    assert.equal(written.mock.callCount(), 0)
  })
})
