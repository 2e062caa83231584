import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { strayOf } from '../statistics/simulated-run.fixture.ts'
import { START_SCATTER } from '../statistics/thresholds.ts'
import { simulateQuick } from './simulated-quick.fixture.ts'

const PAIRS = 400
const MOST = 0.02 + strayOf(0.02, PAIRS)

describe('a run with --quick that keeps its stacks', () => {
  const kept = { scatter: 0.1, correlation: 0.5, shape: 'normal', starts: START_SCATTER } as const
  const design = { looks: true, keepsStacks: true }
  for (const [rows, samples] of [
    [8, 60],
    [2, 40],
  ] as const) {
    test(`calls rows that are the same different at most 2 times of 100: ${rows} rows, ${samples} samples`, () => {
      const wrong = simulateQuick({ ...kept, rows, samples }, PAIRS, design)
      assert.ok(wrong <= MOST, `${wrong} wrong`)
    })
  }

  test('would be wrong more often if it did not allow for starts that differ', () => {
    const calm = { ...kept, scatter: 0.03, rows: 2, samples: 40 }
    const wrong = simulateQuick(calm, PAIRS, { looks: true })
    assert.ok(wrong > MOST, `${wrong} wrong`)
  })
})
