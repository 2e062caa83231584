import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { History } from '../../commands/compare/history/results.ts'
import { traceRuns } from '../../commands/compare/history/trace.ts'
import type { SloResults } from '../../commands/slo/results.ts'
import { selectRows } from '../../sample/rows.ts'
import { frames } from '../plot.ts'
import type { Plot } from '../report-plot.ts'
import { readPublished } from '../results.fixture.ts'
import { makePlots } from './index.ts'

/** Draws a plot for wide and for narrow screens. */
function drawAll(plots: readonly Plot[]): string[] {
  assert.equal(plots.length, 1)
  return Object.values(frames).map(frame => (plots[0] as Plot).draw(frame))
}

describe('plots of several runs or rates', () => {
  test('a history has every row but the first, and every commit', () => {
    const run = readPublished('ladder')
    const later = {
      ...run,
      environment: { ...run.environment, commit: '7654321', date: '2030-01-01T00:00:00Z' },
    }
    const sources = [run, later].map(run => ({ path: 'a', run }))
    const settings = { command: 'history', metric: 'mainThreadMicros' }
    const history = { ...traceRuns(sources, 'mainThreadMicros'), settings } as History
    for (const svg of drawAll(makePlots(['history'], history))) {
      assert.match(svg, /7654321/)
      assert.match(svg, /rendering/)
      assert.doesNotMatch(svg, /NaN/)
    }
  })

  test('rates have a bar for every row in which the limit was found, and a sign where it was not', () => {
    const [first, second] = selectRows('0,3', undefined, {})
    const sample = { ratePerSecond: 100, outcome: 'holds', latencyMs: { p99: 5 }, errors: 0, round: 1 }
    const rows = [
      { ...first, finding: 'found', ratePerSecond: 120, ci95: [110, 131], samples: [sample] },
      { ...second, finding: 'always', ratePerSecond: 400, ci95: null, samples: [sample] },
    ]
    const slo = { rows, settings: { command: 'slo', p99Ms: 100 } } as unknown as SloResults
    for (const svg of drawAll(makePlots(['slo'], slo))) {
      assert.match(svg, /120 \[110, 131\]/)
      assert.match(svg, /≥ 400/)
      assert.doesNotMatch(svg, /NaN/)
    }
  })
})
