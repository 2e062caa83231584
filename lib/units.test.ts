import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formatDuration, monotonicMs, parseDurationMs } from './units.ts'

describe('units', () => {
  for (const [text, ms] of [
    ['0s', 0],
    ['5ms', 5],
    ['0.5ms', 0.5],
    ['1.5s', 1500],
    ['10m', 600_000],
    ...['', '5', 'ms', '5 s', ' 5s', '-1s', '.5s', '1.s', '1e3ms', '5S', '5sec', '5h'].map(text => [text]),
  ] as [string, number?][])
    test(`"${text}" is ${ms === undefined ? 'no duration' : `${ms} milliseconds`}`, () =>
      assert.equal(parseDurationMs(text), ms))

  const readings: readonly [ms: number, text: string][] = [
    [0, '0 s'],
    [59_499, '59 s'],
    [59_500, '1 min 0 s'],
    [80_000, '1 min 20 s'],
    [3_600_000, '60 min 0 s'],
  ]
  for (const [ms, text] of readings) {
    test(`${ms} milliseconds read "${text}"`, () => assert.equal(formatDuration(ms), text))
  }

  test('the monotonic clock counts milliseconds', t => {
    t.mock.method(process.hrtime, 'bigint', () => 1_500_000n)
    assert.equal(monotonicMs(), 1.5)
  })
})
