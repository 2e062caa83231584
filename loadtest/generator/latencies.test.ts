import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ExactLatencies, HdrLatencies } from './latencies.ts'

const collect = (latencies: ExactLatencies | HdrLatencies, values: readonly number[]) => {
  for (const value of values) latencies.record(value)
  return latencies.summary()
}

describe('an HDR histogram of latencies', () => {
  test('has the exact percentiles to four digits, from microseconds to minutes', () => {
    const values = Array.from({ length: 5000 }, (_, index) => 0.001 * 1.003 ** index)
    const exact = collect(new ExactLatencies(), values)
    const kept = collect(new HdrLatencies(), values)
    for (const key of ['p50', 'p90', 'p99', 'max'] as const)
      assert.ok(Math.abs(kept[key] / exact[key] - 1) < 1e-4, `${key}: ${kept[key]} for ${exact[key]}`)
  })

  test('keeps fractions of a microsecond, nothing below a nanosecond, and caps at an hour', () => {
    assert.ok(Math.abs(collect(new HdrLatencies(), [0.0123]).p50 - 0.0123) < 1e-6)
    assert.equal(collect(new HdrLatencies(), [0]).max, 1e-6)
    assert.ok(Math.abs(collect(new HdrLatencies(), [1e9]).max / 3_600_000 - 1) < 1e-4)
  })

  test('has no percentiles of nothing', () => {
    const { NaN: none } = Number
    assert.deepEqual(new HdrLatencies().summary(), { p50: none, p90: none, p99: none, max: none })
  })
})
