import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Latencies } from './latencies.ts'

const collect = (latencies: Latencies, values: readonly number[]) => {
  for (const value of values) latencies.record(value)
  return latencies.summary()
}

describe('an HDR histogram of latencies', () => {
  test('has the exact percentiles to four digits, from microseconds to minutes', () => {
    const values = Array.from({ length: 5000 }, (_, index) => 0.001 * 1.003 ** index)
    const kept = collect(new Latencies(), values)
    for (const [key, share] of Object.entries({ p50: 0.5, p90: 0.9, p99: 0.99, max: 1 })) {
      const [value, exact] = [kept[key as keyof typeof kept], values[values.length * share - 1] as number]
      assert.ok(Math.abs(value / exact - 1) < 1e-4, `${key}: ${value} for ${exact}`)
    }
  })

  test('keeps fractions of a microsecond, nothing below a nanosecond, and caps at an hour', () => {
    assert.ok(Math.abs(collect(new Latencies(), [0.0123]).p50 - 0.0123) < 1e-6)
    assert.equal(collect(new Latencies(), [0]).max, 1e-6)
    assert.ok(Math.abs(collect(new Latencies(), [1e9]).max / 3_600_000 - 1) < 1e-4)
  })

  test('has no percentiles of nothing', () => {
    const { NaN: none } = Number
    assert.deepEqual(new Latencies().summary(), { p50: none, p90: none, p99: none, max: none })
  })
})
