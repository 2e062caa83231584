import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Environment } from '../outcome/environment.ts'
import type { Results, Settings } from '../outcome/results.ts'
import { summarizeRows } from '../outcome/summarize.ts'
import { handicapped } from '../sample/compared-rows.ts'
import { selectRow } from '../sample/rows.ts'
import { atRates } from '../sample/rows-at-loads.ts'
import { adviseToResume, resumePlan } from './resume.ts'

const environment = { node: 'v26', os: 'x', cpu: 'y', cores: 2, commit: 'abc', date: 'then' } as Environment
const rows = [
  ...handicapped(selectRow('framework', {}), 3),
  ...atRates([selectRow('0', { compute: ['threads'], overload: ['none'] })], [100, 200]),
]
const earlier: Results = {
  schemaVersion: 1,
  environment,
  settings: { command: 'run', budgetSeconds: 60, rounds: 4, seed: 9 } as Settings,
  steps: summarizeRows(rows, new Map()),
}

describe('a run that goes on', () => {
  test('has the rows and settings that it had, and a budget for the rest', () => {
    const read = JSON.parse(JSON.stringify(earlier))
    const plan = resumePlan(read, 'run', 5000, { ...environment, date: 'now' })
    assert.deepEqual(plan.rows, rows)
    assert.deepEqual(plan.settings, { ...earlier.settings, budgetSeconds: 5 })
    assert.equal(resumePlan(read, 'run', undefined, environment).settings.budgetSeconds, 60)
  })

  test('does not go on as another command, or somewhere else', () => {
    assert.throws(() => resumePlan(earlier, 'aa', undefined, environment), /of the command run, not of aa/)
    assert.throws(
      () => resumePlan(earlier, 'run', undefined, { ...environment, commit: 'def' }),
      /commit was abc, is def; start a new one/,
    )
  })

  test('is none with --quick, which does not advise it either', () => {
    assert.match(adviseToResume(earlier), /^go on with --resume .*results\.json$/)
    for (const design of [{ looks: true }, { keepsStacks: true }, { looks: true, keepsStacks: true }]) {
      const quick = { ...earlier, settings: { ...earlier.settings, ...design } }
      assert.throws(() => resumePlan(quick, 'run', undefined, environment), {
        message: 'a run with --quick cannot go on; start a new one',
      })
      assert.match(adviseToResume(quick), /^the partial results are in .*results\.json$/)
    }
  })
})
