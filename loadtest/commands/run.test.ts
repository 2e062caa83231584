import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lastStep } from '../../app/steps.ts'
import { summarizeRows } from '../outcome/summarize.ts'
import { besideBranch } from '../sample/compared-rows.ts'
import { rowOf } from '../sample/rows.ts'
import type { Sample } from '../sample/sample.ts'
import { findMore } from './run.ts'

const rows = besideBranch([rowOf(lastStep, {})], 'origin/main', name => ({ name, commit: 'abc' }))

/** Six blocks of a row: bytes and wake-ups are the same in each, and costs go up and down. */
const samplesOf = (allocatedBytes: number, sign: 1 | -1) =>
  [1, 2, 3, 4, 5, 6].map(round => ({
    round,
    valid: true,
    goodput: 500,
    totalMicros: 900,
    latencyMs: { p50: 1, p99: 2 },
    mainThreadMicros: 120 + sign * 20 * (-1) ** round,
    allocatedBytes: allocatedBytes + round,
    wakeups: 2 + round / 100,
  })) as unknown as Sample[]

test('a commit is compared row by row with this checkout', () => {
  const base = `${lastStep.name}+branch=origin/main`
  assert.deepEqual(
    rows.map(({ name, baseline, branch }) => [name, baseline, branch?.name]),
    [
      [base, base, 'origin/main'],
      [lastStep.name, base, undefined],
    ],
  )
})

test('what allocates more beyond the threshold is named; a difference that may be chance is not', () => {
  const samples = new Map(rows.map((row, index) => [row, samplesOf(index ? 1300 : 1000, index ? 1 : -1)]))
  const steps = summarizeRows(rows, samples)
  assert.deepEqual(findMore({ steps }, 0.1), [`allocatedBytes of ${lastStep.name} × 1.30`])
  assert.deepEqual(findMore({ steps }, 0.5), [])
})
