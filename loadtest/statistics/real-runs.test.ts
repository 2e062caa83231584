import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../lib/random.ts'
import { deal, readRealRun } from './real-run.fixture.ts'
import { judgeRuns } from './simulated-run.fixture.ts'

const PAIRS = 240

/** A share of 5 % strays so far among so many pairs: three standard errors. */
const MOST_WRONG = 0.05 + 3 * Math.sqrt((0.05 * 0.95) / PAIRS)

for (const [name, numbers] of [
  ['ladder', [2, 4, 10]],
  ['spectrum', [3, 6]],
  ['mix', [2]],
  ['handicap', [10, 29]],
] as const) {
  // biome-ignore format: a table
  for (const blocks of numbers) {
    test(`real samples that are dealt to rows at random have few false verdicts: ${name}, ${blocks} blocks`, t => {
      const run = readRealRun(name)
      const random = seededRandom(20_261_122)
      const runs = Array.from({ length: Math.ceil(PAIRS / (run.metric.length - 1)) }, () =>
        deal(run, blocks, random),
      )
      const { wrong, adjusted } = judgeRuns(runs)
      t.diagnostic(`${(wrong * 100).toFixed(1)} % wrong, ${(adjusted * 100).toFixed(0)} % adjusted`)
      assert.ok(wrong <= MOST_WRONG, `${wrong} wrong`)
    })
  }
}
