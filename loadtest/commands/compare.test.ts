import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Environment } from '../outcome/environment.ts'
import type { Results, Settings } from '../outcome/results.ts'
import { summarizeRows } from '../outcome/summarize.ts'
import { type Row, selectRows } from '../sample/rows.ts'
import type { Sample } from '../sample/sample.ts'
import { compareRuns, describeDifferences, findRegressions } from './compare.ts'

const scatter = [0.99, 1.01, 1, 0.995, 1.005, 1.002, 0.998, 1]

/** A run of which step by step the main-thread cost is given. */
function runOf(steps: string, ...costs: number[]): Results {
  const rows = selectRows(steps, undefined, {})
  const samples = new Map<Row, Sample[]>(
    rows.map((row, index) => [
      row,
      scatter.map((_, block) => {
        const factor = scatter[(block + index) % scatter.length] as number
        const cost = (costs[index] as number) * factor
        return {
          round: block + 1,
          valid: true,
          mainThreadMicros: cost,
          totalMicros: 10 * factor,
          goodput: 1000 / cost,
          latencyMs: { p99: 5 * factor },
        } as Sample
      }),
    ]),
  )
  return {
    schemaVersion: 1,
    environment: { node: 'v26.1.0', cores: 2 } as Environment,
    settings: { scenario: 'demo', connections: 50 } as Settings,
    steps: summarizeRows(rows, samples),
  }
}

describe('two runs', () => {
  test('are compared by the rows of the same name', () => {
    const rows = compareRuns(runOf('0-2', 100, 50, 40), runOf('1-3', 60, 40, 30))
    assert.deepEqual(
      rows.map(({ name, ratios: { mainThreadMicros } }) => [
        name,
        mainThreadMicros.ratio?.toFixed(3),
        mainThreadMicros.verdict,
      ]),
      [
        ['compute', '1.200', 'slower'],
        ['serialization', '1.000', 'equivalent'],
      ],
    )
    assert.deepEqual(rows[0]?.medians.mainThreadMicros, { a: 50, b: 60 })
  })

  test('have to differ by more if one of them kept its stacks, and by most if both did', () => {
    const keep = (run: Results): Results => ({ ...run, settings: { ...run.settings, keepsStacks: true } })
    const a = runOf('0-1', 100, 50)
    function rowsOf(cost: number) {
      const b = runOf('0-1', 100, cost)
      const pairs = [compareRuns(a, b), compareRuns(keep(a), b), compareRuns(a, keep(b))]
      return [...pairs, compareRuns(keep(a), keep(b))].map(([, row]) => row)
    }
    const alone = (cost: number) => rowsOf(cost).map(row => row?.ratios.mainThreadMicros.verdict)
    const ofFirst = (cost: number) => rowsOf(cost).map(row => row?.versusFirst?.mainThreadMicros.verdict)
    const none = 'inconclusive'
    assert.deepEqual(alone(53), ['slower', none, none, none])
    assert.deepEqual(alone(54), ['slower', 'slower', 'slower', none])
    assert.deepEqual(ofFirst(54), ['slower', none, none, none])
    assert.deepEqual(ofFirst(55.5), ['slower', 'slower', 'slower', none])
  })

  test('have a regression where a row is slower by more than the threshold, in cost or in goodput', () => {
    const rows = compareRuns(runOf('0-1', 100, 50), runOf('0-1', 100, 60))
    assert.deepEqual(findRegressions(rows, 0.05), [
      'compute mainThreadMicros × 1.20',
      'compute goodput × 0.83',
    ])
    assert.deepEqual(findRegressions(rows, 0.25), [])
    assert.deepEqual(findRegressions(compareRuns(runOf('0', 100), runOf('0', 50)), 0.05), [])
  })

  test('of a machine that became slower have the same ratios to their first row', () => {
    const [first, second] = compareRuns(runOf('0-1', 100, 50), runOf('0-1', 120, 60))
    assert.equal(first?.versusFirst, null)
    assert.equal(second?.ratios.mainThreadMicros.verdict, 'slower')
    assert.equal(second?.versusFirst?.mainThreadMicros.ratio?.toFixed(3), '1.000')
    assert.equal(second?.versusFirst?.mainThreadMicros.verdict, 'equivalent')
  })

  test('without a row in common cannot be compared', () => {
    assert.throws(() => compareRuns(runOf('0', 1), runOf('1', 1)), /no row in common/)
  })

  test('are warned of where they were not made alike', () => {
    const a = runOf('0', 1)
    const b = {
      ...a,
      environment: { ...a.environment, node: 'v26.2.0' },
      settings: { ...a.settings, connections: 9, pin: true },
    }
    assert.deepEqual(describeDifferences(a, b), [
      'node was v26.1.0 in the first run and v26.2.0 in the second',
      'connections was 50 in the first run and 9 in the second',
      'pin was false in the first run and true in the second',
    ])
    assert.deepEqual(describeDifferences(a, a), [])
    assert.deepEqual(describeDifferences(a, { ...a, noisy: true }), ['the second run is noisy'])
  })
})
