import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { percent } from '../../lib/units.ts'
import type { Ratio } from './ratio.ts'
import {
  compareRun,
  describeMachine,
  drawRuns,
  firstBlocks,
  isWrong,
  judgeRuns,
  machines,
  strayOf,
  type Values,
} from './simulated-run.fixture.ts'
import { isCheck, isNarrow } from './stopping-rule.ts'
import { NARROW } from './thresholds.ts'

const PAIRS = 2400
const MOST_BLOCKS = 40

function* cases(sizes: readonly (readonly [rows: number, blocks: number])[], scatter = 0.05) {
  for (const [rows, blocks] of sizes)
    for (const machine of machines) {
      const what = `${rows} rows, ${blocks} blocks, ${describeMachine(machine)}`
      yield { what, simulated: { rows, blocks, scatter, ...machine } }
    }
}

describe('intervals of rows that are the same miss 1 at most 5 times of 100:', () => {
  const sizes = [[7, 2], [7, 3], [3, 4], [2, 6], [7, 6], [2, 10]] as const // biome-ignore format: a table
  for (const { what, simulated } of cases(sizes)) {
    test(what, t => {
      const runs = drawRuns(simulated, Math.ceil(PAIRS / (simulated.rows - 1)))
      const { wrong, adjusted } = judgeRuns(runs)
      t.diagnostic(`${percent(wrong, 1)} wrong, ${percent(adjusted, 1)} adjusted`)
      assert.ok(wrong <= 0.05 + strayOf(0.05, PAIRS), percent(wrong, 1))
    })
  }
})

describe('a run that stops when its ratios are narrow is wrong at most 5 times of 100:', () => {
  const RUNS = 600
  for (const scatter of [0.015, 0.03, 0.06])
    for (const { what, simulated } of cases([[2, MOST_BLOCKS]], scatter)) {
      test(`${scatter * 100} % scatter, ${what}`, t => {
        const ratios = drawRuns(simulated, RUNS).map(untilNarrow)
        const wrong = ratios.filter(isWrong).length / RUNS
        t.diagnostic(`${percent(wrong, 1)} wrong`)
        assert.ok(wrong <= 0.05 + strayOf(0.05, RUNS), percent(wrong, 1))
      })
    }
})

/** Stops as a run with a budget does. */
function untilNarrow(run: Values): Ratio {
  for (let blocks = 1; blocks < MOST_BLOCKS; blocks++) {
    if (!isCheck(blocks)) continue
    const ratio = compareRun(firstBlocks(run, blocks))(1, 0, [])
    if (isNarrow(ratio.ci95, NARROW)) return ratio
  }
  return compareRun(run)(1, 0, [])
}
