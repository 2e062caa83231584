import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fit } from './page/live/fit.ts'
import type { Line } from './page/live/line.ts'

const lines: readonly Line[] = [
  { color: 'goodput', label: 'good', read: ({ goodput }) => goodput },
  { color: 'bad', label: 'bad', read: ({ bad }) => bad, isInBand: true },
]
const updates = (bad: number) =>
  Array.from({ length: 100 }, (_, index) => ({
    atMs: 500 * index,
    goodput: index === 50 ? 900 : 100,
    bad: index > 60 && index < 70 ? bad : 0,
  })) as never

test('bad answers have a scale of their own, and do not change that of good ones', () => {
  const [none, some] = [fit(lines, updates(0)), fit(lines, updates(5000))]
  assert.deepEqual([none.top, none.bandTop], [150, 0])
  assert.deepEqual([some.top, some.bandTop], [150, 5000])
  assert.deepEqual(some.peaks, [{ color: 'goodput', time: 25, value: 900 }])
})

test('a scale with a given end contains what is above it as a peak', () => {
  const { top, peaks } = fit(lines, updates(0), 500)
  assert.deepEqual([top, peaks.length], [500, 1])
  assert.equal(fit(lines, []).peaks.length, 0)
})
