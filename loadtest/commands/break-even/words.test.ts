import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formatBytes, formatMicros } from './cells.ts'
import { describeCrossings } from './presentation.ts'
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

  test('is one sentence for all that a task could leave to', () => {
    const both = [found({}), found({ compute: 'processes', lengthMicros: 120, ci95: null })]
    assert.deepEqual(describeCrossings(both), [
      '100 B, one task at a time: a task costs the main thread less than inline with threads from 85 µs [70 µs, 110 µs], with processes from 120 µs.',
    ])
  })

  const sentences: readonly [Partial<CrossingResult>, string][] = [
    [{ lengthMicros: 'below', ci95: ['below', 12] }, 'threads at every length measured [< 10 µs, 12 µs].'],
    [{ lengthMicros: 'above', ci95: [9000, 'above'] }, 'threads at no length measured [9 ms, > 100 ms].'],
    [
      { lengthMicros: null, ci95: null },
      'threads from an unknown length (the rounds do not agree on a length).',
    ],
    [
      { lengthMicros: null, ci95: null, rounds: [] },
      'threads from an unknown length (no round has the needed lengths).',
    ],
  ]
  for (const [changes, end] of sentences) {
    test(`says ${end}`, () => {
      const [sentence = ''] = describeCrossings([found({ concurrency: 16, ...changes })])
      assert.equal(sentence, `100 B, 16 at a time: a task costs the main thread less than inline with ${end}`)
    })
  }
})
