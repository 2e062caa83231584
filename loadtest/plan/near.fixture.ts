import assert from 'node:assert/strict'

/** Fails if a figure is farther from the expected one than this share of it (5 %). */
export function near(actual: number, expected: number, share = 0.05): void {
  const error = actual / expected - 1
  assert.ok(Math.abs(error) <= share, `${actual} is ${(error * 100).toFixed(1)} % off ${expected}`)
}
