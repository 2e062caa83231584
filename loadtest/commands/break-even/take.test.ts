import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gridComputes } from './cells.ts'
import type { CellReport, Order, StartReport } from './protocol.ts'
import { takeSample } from './take.ts'

const never = new AbortController().signal
/** Many steps of the clock of CPU time, of four milliseconds. */
const WINDOW_MS = 100
/** Long, so that the tasks use more CPU time than the start of the measured process, on a busy machine too. */
const LENGTH_MICROS = 10_000

describe('a sample', () => {
  for (const compute of gridComputes) {
    test(`of compute/${compute} tells where its tasks ran, and what neighbours waited`, async () => {
      const cell = { compute, lengthMicros: LENGTH_MICROS, payloadBytes: 100, concurrency: 2 }
      const order: Order = { kind: 'cell', cell, threads: 1, durationMs: WINDOW_MS, iterationsPerMicro: 500 }
      const sample = (await takeSample(order, 3, never)) as CellReport & { round: number }
      const { tasks, mainThreadMicros, latencyMs, neighbourDelayMs, round } = sample
      assert.equal(round, 3)
      assert.ok(tasks >= 2, `${tasks} tasks of two clients`)
      assert.ok(mainThreadMicros > 0)
      if (compute === 'inline') assert.ok(mainThreadMicros > LENGTH_MICROS / 4, JSON.stringify(sample))
      else assert.ok(mainThreadMicros < LENGTH_MICROS / 4, JSON.stringify(sample))
      assert.ok(latencyMs.p50 > 0)
      assert.ok(neighbourDelayMs.max >= neighbourDelayMs.p99 && neighbourDelayMs.p99 > 0)
    })
  }

  test('of a process has its start, and its memory where the system tells', async () => {
    const { startMs, memory } = (await takeSample(
      { kind: 'start', name: 'process' },
      1,
      never,
    )) as StartReport
    assert.equal(startMs.length, 4)
    assert.ok(startMs.every(ms => ms > 0))
    // Memory that the processes share does not count again for one more.
    if (memory) assert.ok(memory.proportionalBytes < memory.residentBytes)
  })

  test('that fails says why', async () => {
    const unknown = { kind: 'nonsense' } as unknown as Order
    await assert.rejects(takeSample(unknown, 1, never), /what is measured failed: .*unknown order/)
  })

  test('is not taken once there is to be none', async () => {
    const order: Order = { kind: 'start', name: 'thread' }
    await assert.rejects(
      takeSample(order, 1, AbortSignal.abort(new Error('interrupted'))),
      /^Error: interrupted$/,
    )
  })
})
