import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { lastStep } from '../../app/steps.ts'
import { parseOptions } from '../../lib/cli/command-line.ts'
import { recordArguments } from '../declaration/rows-command.ts'
import { type Results, repeatCommand, type Settings } from '../outcome/results.ts'
import { summarizeRows } from '../outcome/summarize.ts'
import { ratios } from '../report/plots/metrics.ts'
import type { Sample } from '../sample/sample.ts'
import { equalCores, equalCoresRows } from './equal-cores.ts'

/** Six blocks in which each row answers, waits, costs and takes `factor` times the first. */
function resultsOf(...factors: number[]): Results {
  const rows = equalCoresRows(2, 1).slice(0, factors.length)
  const samples = rows.map((row, index) => {
    const factor = factors[index] as number
    const taken = [1, 2, 3, 4, 5, 6].map(round => {
      // Without any scatter there is no interval.
      const value = index === 0 ? 1 : factor * (1 + Math.sin(round) / 1000)
      return {
        round,
        valid: true,
        goodput: 500 * value,
        mainThreadMicros: 100,
        totalMicros: 1000 * value,
        latencyMs: { p99: 10 },
        besideLatencyMs: { p99: 5 * value },
        memoryMiB: 300 * value,
      }
    })
    return [row, taken as unknown as Sample[]] as const
  })
  return {
    settings: { ...settings },
    environment: { cores: 2 },
    steps: summarizeRows(rows, new Map(samples)),
  } as unknown as Results
}

const settings = {
  command: 'equal-cores',
  scenario: 'mix',
  connections: 50,
  threads: 1,
  beside: 'hello',
  besideRate: 100,
  rounds: 6,
  budgetSeconds: null,
  warmupSeconds: 2,
  durationSeconds: 4,
  seed: 7,
  cores: null,
  baseline: 'first',
} as Partial<Settings>

describe('equal cores', () => {
  test('has a plot for each metric, in words for less and more', () => {
    const results = resultsOf(1, 1.5, 0.5)
    const summaryOf = (metric: 'goodput' | 'besideP99Ms' | 'memoryMiB') =>
      ratios(metric)(results)?.summary as string
    assert.match(summaryOf('goodput'), /threads=1: 1\.50×, more/)
    assert.match(summaryOf('besideP99Ms'), /threads=1: 1\.50×, more/)
    assert.match(summaryOf('memoryMiB'), /: 0\.50×, less/)
    assert.equal(ratios('goodput')(resultsOf(1)), null)
  })

  test('says where everything ran', () => {
    const sayPlace = (results: Results) =>
      equalCores.presentation
        .content(results)
        .flatMap(each => (each.kind === 'remarks' ? each.sentences : []))[0] as string
    const results = resultsOf(1, 1)
    assert.match(sayPlace(results), /share all 2 cores, in every row/)
    const apart = { ...results, settings: { ...results.settings, cores: [0] } }
    assert.match(sayPlace(apart), /share core 0 of 2; the upstream and the load generators have/)
  })

  test('can be measured again with the command that is told', () => {
    const plan = { rows: [], settings: resultsOf(1, 1).settings }
    const { values } = parseOptions(equalCores.options, [])
    const again = recordArguments(plan, values)
    assert.equal(
      repeatCommand(again),
      'npm run loadtest -- equal-cores --scenario=mix --connections=50 --rounds=6 --warmup=2000ms --duration=4000ms --seed=7',
    )
  })

  test('are a monolith each, threads of one app, and both', () => {
    assert.deepEqual(
      equalCoresRows(4, 3).map(({ name, app }) => [name, app]),
      [
        ['monolith+instances=4', { instances: 4 }],
        [`${lastStep.name}+threads=3`, { threads: 3 }],
        [`${lastStep.name}+instances=4+threads=1`, { instances: 4, threads: 1 }],
      ],
    )
  })

  test('are different ways on one core too', () => {
    const names = (threads: number) => equalCoresRows(1, threads).map(({ name }) => name)
    assert.deepEqual(names(1), ['monolith+instances=1', `${lastStep.name}+threads=1`])
    assert.deepEqual(names(2), [
      'monolith+instances=1',
      `${lastStep.name}+threads=2`,
      `${lastStep.name}+instances=1+threads=1`,
    ])
  })
})
