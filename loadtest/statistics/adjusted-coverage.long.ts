import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Ratio } from './ratio.ts'
import {
  compareRun,
  drawRuns,
  firstBlocks,
  isWrong,
  judgeLooks,
  judgeRuns,
  type Simulated,
  type Values,
} from './simulated-run.fixture.ts'
import { isCheck, isNarrow } from './stopping-rule.ts'
import { NARROW_PERCENT, QUICK_ERROR, START_SCATTER } from './thresholds.ts'

const PAIRS = 2400
const MOST_BLOCKS = 40

/** A share strays so far from the truth in a simulation of this size: three standard errors. */
const strayOf = (share: number, count = PAIRS) => 3 * Math.sqrt((share * (1 - share)) / count)
const percent = (share: number) => `${(share * 100).toFixed(1)} %`

type Machine = Pick<Simulated, 'shape' | 'uneven' | 'correlations'>

/** Covariates of all kinds on a machine with plain noise, and a good one on machines with noise of other kinds. */
const machines: readonly Machine[] = [
  ...[[], [0], [0.5], [0.92], [0.92, 0, 0.5]].map(correlations => ({
    shape: 'normal' as const,
    correlations,
  })),
  { shape: 'heavy', correlations: [0.92] },
  { shape: 'wandering', correlations: [0.92] },
  { shape: 'normal', uneven: 3, correlations: [0.92] },
]

function* cases(sizes: readonly (readonly [rows: number, blocks: number])[], scatter = 0.05) {
  for (const [rows, blocks] of sizes)
    for (const machine of machines) {
      const noise = `${machine.shape} noise${machine.uneven ? ', one row three times as much' : ''}`
      const what = `${rows} rows, ${blocks} blocks, covariates [${machine.correlations}], ${noise}`
      yield { what, simulated: { rows, blocks, scatter, ...machine } }
    }
}

describe('intervals of rows that are the same miss 1 at most 5 times of 100:', () => {
  const sizes = [[7, 2], [7, 3], [3, 4], [2, 6], [7, 6], [2, 10]] as const // biome-ignore format: a table
  for (const { what, simulated } of cases(sizes)) {
    test(what, t => {
      const runs = drawRuns(simulated, Math.ceil(PAIRS / (simulated.rows - 1)))
      const { wrong, adjusted } = judgeRuns(runs)
      t.diagnostic(`${percent(wrong)} wrong, ${percent(adjusted)} adjusted`)
      assert.ok(wrong <= 0.05 + strayOf(0.05), percent(wrong))
    })
  }
})

for (const [what, design, sizes, starts] of [
  [
    '',
    { looks: true },
    [
      [7, 4],
      [3, 6],
      [2, 9],
    ],
    0,
  ],
  [
    ' that keeps its stacks',
    { looks: true, keepsStacks: true },
    [
      [8, 9],
      [3, 13],
      [2, 42],
    ],
    START_SCATTER,
  ],
] as const) {
  // biome-ignore format: a table
  describe(`a run with --quick${what}, at any of its looks, calls rows that are the same different at most 2 times of 100:`, () => {
    for (const { what, simulated } of cases(sizes)) {
      test(what, t => {
        const runs = drawRuns({ ...simulated, starts }, Math.ceil(PAIRS / (simulated.rows - 1)))
        const share = judgeLooks(runs, design)
        t.diagnostic(`${percent(share)} wrong`)
        assert.ok(QUICK_ERROR < 0.02)
        assert.ok(share <= 0.02 + strayOf(0.02), percent(share))
      })
    }
  })
}

describe('a run that stops when its ratios are narrow is wrong at most 5 times of 100:', () => {
  const RUNS = 600
  for (const scatter of [0.015, 0.03, 0.06])
    for (const { what, simulated } of cases([[2, MOST_BLOCKS]], scatter)) {
      test(`${scatter * 100} % scatter, ${what}`, t => {
        const ratios = drawRuns(simulated, RUNS).map(untilNarrow)
        const wrong = ratios.filter(isWrong).length / RUNS
        t.diagnostic(`${percent(wrong)} wrong`)
        assert.ok(wrong <= 0.05 + strayOf(0.05, RUNS), percent(wrong))
      })
    }
})

/** Stops as a run with a budget does. */
function untilNarrow(run: Values): Ratio {
  for (let blocks = 1; blocks < MOST_BLOCKS; blocks++) {
    if (!isCheck(blocks)) continue
    const ratio = compareRun(firstBlocks(run, blocks))(1, 0, [])
    if (isNarrow(ratio.ci95, NARROW_PERCENT / 100)) return ratio
  }
  return compareRun(run)(1, 0, [])
}
