import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { percent } from '../../lib/units.ts'
import { widthOf } from './looks.ts'
import { compareRun, drawRuns, isWrong, strayOf } from './simulated-run.fixture.ts'
import { TURNS } from './thresholds.ts'

/** Ten minutes of eight rows. Times are those of the published ladder. */
const BUDGET_SECONDS = 600
const ROWS = 8
/** To start, warm up and stop a stack, with two at once where that is possible; and a turn of half a second. */
const START_SECONDS = 6
const TURN_SECONDS = 0.85

/** Scatter in logarithms: of the starts of a row, and of a turn of half a second. */
const machines = [
  { starts: 0.035, turns: 0.15 },
  { starts: 0.05, turns: 0.175 },
  { starts: 0.07, turns: 0.2 },
] as const

/** Simulates runs of rows that are the same. @returns the mean width of their intervals, and how many miss 1 */
function simulate({ starts, turns }: (typeof machines)[number], perBlock: number, count = 150) {
  const blocks = Math.floor(BUDGET_SECONDS / ROWS / (START_SECONDS + perBlock * TURN_SECONDS))
  const scatter = Math.hypot(starts, turns / Math.sqrt(perBlock))
  const runs = drawRuns({ rows: ROWS, blocks, scatter, shape: 'heavy' }, count)
  const ratios = runs.flatMap(run => {
    const compare = compareRun(run)
    return run.metric.slice(1).map((_, above) => compare(above + 1, above))
  })
  const widths = ratios.map(({ ci95 }) => (ci95 ? widthOf(ci95) : Number.POSITIVE_INFINITY))
  return {
    blocks,
    width: widths.reduce((sum, each) => sum + each, 0) / widths.length,
    wrong: ratios.filter(isWrong).length / ratios.length,
  }
}

for (const machine of machines)
  describe(`on a machine whose starts scatter by ${percent(machine.starts, 1)}, and turns by ${percent(machine.turns, 1)},`, () => {
    test('no other split of ten minutes between starts and turns gives intervals that are narrower by a seventh', t => {
      const { width: own } = simulate(machine, TURNS)
      for (const perBlock of [1, 2, 3, 4, 6, 8, 10, 14, 20, 30]) {
        const { width, wrong, blocks } = simulate(machine, perBlock)
        t.diagnostic(
          `${blocks} blocks of ${perBlock} turns: ±${percent(width, 1)}, ${percent(wrong, 1)} wrong`,
        )
        assert.ok(width > (6 / 7) * own, `${perBlock} turns: ${percent(width, 1)}, ours ${percent(own, 1)}`)
      }
    })

    test('the intervals miss 1 at most 5 times of 100', () => {
      const { wrong } = simulate(machine, TURNS, 300)
      assert.ok(wrong <= 0.05 + strayOf(0.05, 300 * (ROWS - 1)), percent(wrong, 1))
    })
  })
