import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pulseOf } from '../../test/pulses.ts'
import { figuresOf } from './figures.ts'

describe('the figures of an update', () => {
  test('cover the time between its pulses', () => {
    const { latencyMs, ...figures } = figuresOf([[1, 2, 3, 4, 5].map(count => pulseOf(count))])
    assert.deepEqual(figures, {
      goodput: 200,
      bad: 4,
      latencyAt: 'server',
      busy: 0.1,
      utilization: 0.2,
      costMicros: 500,
      ceiling: 2000,
      delayMs: { p99: 5, max: 10 },
      gc: { share: 0.02, perSecond: 10 },
      lanes: [
        { name: 'main', share: 0.1 },
        { name: 'compute 1', share: 1 },
      ],
      pools: [{ name: 'compute', size: 2, queueLength: 7, busy: 0.5, waitMs: 2, runMs: 2.5 }],
    })
    assert.ok(latencyMs && latencyMs.p50 < latencyMs.p90 && latencyMs.p90 === latencyMs.p99)
  })

  test('are null without answers, turns or tasks', () => {
    const [first, last] = [pulseOf(1), { ...pulseOf(1), atMs: 1000, latencies: [], delayMs: null }]
    const { goodput, latencyMs, costMicros, ceiling, delayMs, pools } = figuresOf([[first, last]])
    assert.deepEqual(
      [goodput, latencyMs, costMicros, ceiling, delayMs, pools[0]?.waitMs],
      [0, null, null, null, null, null],
    )
  })

  test('count a thread that replaced another from zero', () => {
    const replaced = (count: number, cpuMicros: number) => ({
      ...pulseOf(count),
      threads: [{ name: 'compute 1', cpuMicros }],
    })
    const pulses = [pulseOf(1), replaced(2, 100_000), replaced(3, 300_000)]
    assert.deepEqual(figuresOf([pulses]).lanes, [{ name: 'compute 1', share: 0.3 }])
  })
})
