import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bucketOf, type Latencies, middleOf, percentilesOf } from './latency-buckets.ts'

describe('the buckets of latencies', () => {
  test('are known to within one percent, from 20 µs to 90 s', () => {
    for (let latencyMs = 0.02; latencyMs < 90_000; latencyMs *= 1.013) {
      const read = middleOf(bucketOf(latencyMs))
      assert.ok(Math.abs(read / latencyMs - 1) <= 0.0101, `${latencyMs} is read as ${read}`)
    }
  })

  test('accept every number', () => {
    assert.equal(bucketOf(0), 0)
    assert.equal(bucketOf(1e9), bucketOf(200_000))
  })

  test('give the percentiles of the latencies that they were made of', () => {
    const latenciesMs = Array.from({ length: 1000 }, (_, index) => 1 + index)
    const counts: Latencies = latenciesMs.map(latencyMs => [bucketOf(latencyMs), 1])
    const percentiles = percentilesOf(counts)
    for (const [name, expected] of [
      ['p50', 500],
      ['p90', 900],
      ['p99', 990],
    ] as const)
      assert.ok(Math.abs((percentiles?.[name] ?? 0) / expected - 1) < 0.011, name)
  })
})
