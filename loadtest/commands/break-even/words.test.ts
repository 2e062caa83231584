import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formatBytes, formatMicros } from './cells.ts'
import { answerOf, crossingColumns } from './presentation.ts'
import type { CrossingResult } from './results.ts'

const found = (changes: Partial<CrossingResult>): CrossingResult => ({
  metric: 'mainThreadMicros',
  compute: 'threads',
  payloadBytes: 100,
  concurrency: 1,
  rangeMicros: [10, 100_000],
  lengthMicros: 85.2,
  ci95: [70, 110],
  rounds: [85.2],
  ...changes,
})

describe('what was found', () => {
  test('has its unit', () => {
    assert.deepEqual([9.87, 85.2, 300, 1000, 1716, 100_000].map(formatMicros), [
      '9.9 µs',
      '85 µs',
      '300 µs',
      '1 ms',
      '1.7 ms',
      '100 ms',
    ])
    assert.deepEqual([100, 10_000, 1e6].map(formatBytes), ['100 B', '10 KB', '1 MB'])
  })

  test('is a row for each payload, and a column for each implementation and gain', () => {
    const all = [found({}), found({ compute: 'processes', lengthMicros: 120, ci95: null })]
    const columns = crossingColumns(all)
    assert.deepEqual(
      columns.map(({ title }) => title),
      [
        'input',
        'tasks at a time',
        'threads: cheaper for the main thread',
        'processes: cheaper for the main thread',
      ],
    )
    assert.deepEqual(
      columns.map(({ cell }) => cell(all)),
      ['100 B', '1', 'from 85 µs [70 µs, 110 µs]', 'from 120 µs'],
    )
  })

  const answers: readonly [Partial<CrossingResult>, string][] = [
    [{ lengthMicros: 'below', ci95: ['below', 12] }, 'at all lengths [< 10 µs, 12 µs].'],
    [{ lengthMicros: 'above', ci95: [9000, 'above'] }, 'at no length [9 ms, > 100 ms].'],
    [{ lengthMicros: null, ci95: null }, 'unknown (the rounds do not agree).'],
    [{ lengthMicros: null, ci95: null, rounds: [] }, 'unknown (no round has the needed lengths).'],
  ]
  for (const [changes, end] of answers) {
    test(`says ${end}`, () =>
      assert.equal(
        answerOf([found({ concurrency: 16, ...changes })]),
        `With 100 B of input, 16 at a time, a task costs the main thread less with threads than inline: ${end}`,
      ))
  }
})
