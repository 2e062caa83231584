import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { toCells, type ValidationCell } from './cells.ts'
import { findError, meetsGoal } from './errors.ts'
import type { ValidationSample } from './results.ts'
import { describeValidation, explainMiss } from './words.ts'

const OPEN = { sharePercent: 90, ratePerSecond: 9 } as const

/** One measurement, and a prediction of these multiples of it. */
const sample = (changes: Partial<ValidationSample>, goodput = 1, p99 = 1): ValidationSample => ({
  ...{ number: 0, name: 'monolith', cores: 2, connections: 50, sharePercent: null, ratePerSecond: null },
  ...{ round: 1, valid: true, stealShare: 0, reason: null, noise: null },
  measured: { goodput: 100, latencyMs: { p50: 5, p99: 10 }, mainThreadMicros: 300, totalMicros: 1500 },
  predicted: {
    ...{ goodput: 100 * goodput, mainThreadMicros: 300, totalMicros: 1500 / goodput },
    latencyMs: { p50: 5, p99: 10 * p99 },
  },
  ...changes,
})

const cell = (...samples: Parameters<typeof sample>): ValidationCell =>
  toCells([sample(...samples)])[0] as ValidationCell

describe('the errors of the model', () => {
  test('meet the goal within 10 % of goodput and 25 % of p99', () => {
    const all = [cell({}, 1.09, 0.76), cell({}, 1.11, 1), cell({}, 1, 1.26)]
    assert.deepEqual(all.map(meetsGoal), [true, false, false])
  })

  test('of a situation are those of its step on as many cores with such a load, or of all steps there', () => {
    const cells = [
      cell(OPEN, 8),
      cell({}, 1.2),
      cell({ name: 'compute' }, 1.4),
      cell({ cores: 1 }, 2),
      cell({ valid: false }, 9),
    ]
    const compute = { name: 'compute', cores: 2, costsFrom: 2, isClosed: true }
    assert.equal(findError(cells, compute)?.goodput.toFixed(2), '0.40')
    assert.equal(findError(cells, { ...compute, name: 'logging' })?.goodput.toFixed(2), '0.30')
    assert.equal(findError(cells, { ...compute, cores: 4, costsFrom: 4 }), null)
    assert.equal(findError(cells, { ...compute, costsFrom: 4 }), null)
    assert.equal(findError(cells, { ...compute, isClosed: false })?.goodput, 7)
  })

  test('are counted against the goal, and every miss has a reason', () => {
    const miss = cell(OPEN, 1, 2)
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

  test('are the middle of all blocks, each against its own prediction, and a scatter is said', () => {
    const slow = { goodput: 50, latencyMs: { p50: 10, p99: 30 }, mainThreadMicros: 600, totalMicros: 3000 }
    const blocks = [
      sample({ round: 1 }, 1.05, 1.5),
      sample({ round: 2, measured: slow, predicted: { ...slow, goodput: 54 } }),
      sample({ round: 3 }, 1, 1.4),
      sample({ round: 4, valid: false, reason: 'no answer' }, 9, 9),
    ]
    const [found] = toCells(blocks) as [ValidationCell]
    assert.equal(found.compared?.error.goodput.toFixed(2), '0.05')
    assert.equal(found.compared?.error.p99.toFixed(2), '0.40')
    assert.equal(found.compared?.scatter.goodput, 1)
    assert.equal(
      explainMiss(found),
      'p99 differs by 200 % between the blocks; the costs are right, the waits are not',
    )
    assert.match(
      describeValidation([found]) ?? '',
      /measurements of the blocks are that close to each other in 0 of 1 cell/,
    )
    assert.equal(toCells([...blocks, sample(OPEN)]).length, 2)
  })
})
