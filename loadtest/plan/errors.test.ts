import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findError, meetsGoal } from './errors.ts'
import type { ValidationCell } from './results.ts'
import { describeValidation, explainMiss } from './words.ts'

const OPEN = { kind: 'open', ratePerSecond: 9, arrivals: 'poisson', seed: 1 } as const

const cell = (changes: Partial<ValidationCell>, goodput = 1, p99 = 1): ValidationCell => ({
  ...{ number: 0, name: 'monolith', cores: 2, load: { kind: 'closed' }, connections: 50, sharePercent: null },
  ...{ valid: true, reason: null, noise: null },
  measured: { goodput: 100, latencyMs: { p50: 5, p99: 10 }, mainThreadMicros: 300, totalMicros: 1500 },
  predicted: {
    ...{ goodput: 100 * goodput, mainThreadMicros: 300, totalMicros: 1500 / goodput },
    latencyMs: { p50: 5, p99: 10 * p99 },
  },
  ...changes,
})

describe('the errors of the model', () => {
  test('meet the goal within 10 % of goodput and 25 % of p99', () => {
    const all = [cell({}, 1.09, 0.76), cell({}, 1.11, 1), cell({}, 1, 1.26)]
    assert.deepEqual(all.map(meetsGoal), [true, false, false])
  })

  test('of a situation are those of its step on as many cores with such a load, or of all steps there', () => {
    const cells = [
      cell({ load: OPEN }, 8),
      cell({}, 1.2),
      cell({ name: 'compute' }, 1.4),
      cell({ cores: 1 }, 2),
      cell({ valid: false }, 9),
    ]
    assert.equal(
      findError(cells, { name: 'compute', cores: 2, loadKind: 'closed' })?.goodput.toFixed(2),
      '0.40',
    )
    assert.equal(
      findError(cells, { name: 'logging', cores: 2, loadKind: 'closed' })?.goodput.toFixed(2),
      '0.30',
    )
    assert.equal(findError(cells, { name: 'compute', cores: 4, loadKind: 'closed' }), null)
    assert.equal(findError(cells, { name: 'compute', cores: 2, loadKind: 'open' })?.goodput, 7)
  })

  test('are counted against the goal, and every miss has a reason', () => {
    const miss = cell({ sharePercent: 90, load: OPEN }, 1, 2)
    assert.match(describeValidation([cell({}), miss]) ?? '', /^In 1 of 2 cells, .* is missed\.$/)
    assert.equal(explainMiss(cell({})), '')
    assert.equal(explainMiss(miss), 'the costs are right, the waits are not')
    assert.match(
      explainMiss(cell({ noise: 'busy' }, 2)),
      /disturbed.*app and sidecars: 1500 µs a response, by the model 750/,
    )
    assert.equal(explainMiss(cell({ valid: false, reason: '3 errors' })), 'refused: 3 errors')
    assert.equal(describeValidation([]), null)
  })
})
