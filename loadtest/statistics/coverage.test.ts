import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { drawRuns, judgeLooks, judgeRuns } from './simulated-run.fixture.ts'
import { START_SCATTER } from './thresholds.ts'

const PAIRS = 400

/** A share of 5 % strays so far in a simulation of this size: three standard errors. */
const MOST_WRONG = 0.05 + 3 * Math.sqrt((0.05 * 0.95) / PAIRS)

describe('intervals of rows that are the same, in simulated runs,', () => {
  for (const [rows, blocks] of [
    [7, 2],
    [7, 3],
    [3, 4],
    [2, 6],
    [2, 10],
  ] as const) {
    // biome-ignore format: a table
    for (const [what, correlations] of [
      ['without a covariate', []],
      ['with a worthless covariate', [0]],
      ['with an excellent covariate', [0.92]],
    ] as const) {
      test(`miss 1 at most 5 times of 100: ${rows} rows, ${blocks} blocks, ${what}`, () => {
        const simulated = { rows, blocks, scatter: 0.05, correlations, shape: 'normal' } as const
        const { wrong } = judgeRuns(drawRuns(simulated, Math.ceil(PAIRS / (rows - 1))))
        assert.ok(wrong <= MOST_WRONG, `${wrong} wrong`)
      })
    }
  }

  test('become narrower by an excellent covariate, and a worthless one hardly ever decides', () => {
    const share = (correlation: number) => {
      const simulated = { rows: 2, blocks: 10, scatter: 0.05, correlations: [correlation], shape: 'normal' }
      return judgeRuns(drawRuns(simulated as Parameters<typeof drawRuns>[0], 100)).adjusted
    }
    assert.ok(share(0.92) > 0.8)
    assert.ok(share(0) < 0.05)
  })
})

describe('a run with --quick that keeps its stacks, at any of its looks,', () => {
  const MOST = 0.02 + 3 * Math.sqrt((0.02 * 0.98) / PAIRS)
  const design = { looks: true, keepsStacks: true }
  const draw = (rows: number, blocks: number, starts: number) => {
    const simulated = { rows, blocks, scatter: 0.1, correlations: [0.5], shape: 'normal', starts } as const
    return drawRuns(simulated, Math.ceil(PAIRS / (rows - 1)))
  }
  for (const [rows, blocks] of [
    [8, 9],
    [2, 28],
  ] as const) {
    test(`calls rows that are the same different at most 2 times of 100: ${rows} rows, ${blocks} blocks`, () => {
      const wrong = judgeLooks(draw(rows, blocks, START_SCATTER), design)
      assert.ok(wrong <= MOST, `${wrong} wrong`)
    })
  }

  test('would be wrong more often if it did not allow for starts that differ', () => {
    const wrong = judgeLooks(draw(2, 28, START_SCATTER), { looks: true })
    assert.ok(wrong > MOST, `${wrong} wrong`)
  })
})
