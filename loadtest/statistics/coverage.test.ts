import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { drawRuns, judgeRuns, strayOf } from './simulated-run.fixture.ts'

const PAIRS = 400

const MOST_WRONG = 0.05 + strayOf(0.05, PAIRS)

describe('intervals of rows that are the same, in simulated runs,', () => {
  for (const [rows, blocks] of [
    [7, 2],
    [7, 3],
    [3, 4],
    [2, 6],
    [2, 10],
  ] as const) {
    // biome-ignore format: a table
    for (const [what, correlation] of [
      ['without a covariate', undefined],
      ['with a worthless covariate', 0],
      ['with an excellent covariate', 0.92],
    ] as const) {
      test(`miss 1 at most 5 times of 100: ${rows} rows, ${blocks} blocks, ${what}`, () => {
        const simulated = { rows, blocks, scatter: 0.05, correlation, shape: 'normal' } as const
        const { wrong } = judgeRuns(drawRuns(simulated, Math.ceil(PAIRS / (rows - 1))))
        assert.ok(wrong <= MOST_WRONG, `${wrong} wrong`)
      })
    }
  }

  test('become narrower by an excellent covariate, and a worthless one hardly ever decides', () => {
    const share = (correlation: number) => {
      const simulated = { rows: 2, blocks: 10, scatter: 0.05, correlation, shape: 'normal' }
      return judgeRuns(drawRuns(simulated as Parameters<typeof drawRuns>[0], 100)).adjusted
    }
    assert.ok(share(0.92) > 0.8)
    assert.ok(share(0) < 0.05)
  })
})
