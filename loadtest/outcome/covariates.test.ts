import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { firstStep } from '../../app/steps.ts'
import { handicapped, type Row, selectRow, twice } from '../sample/rows.ts'
import { findCovariates } from './covariates.ts'

const row = selectRow(firstStep.name, {})
const [same, again] = twice(row) as [Row, Row]
const [, slower] = handicapped(row, 3) as [Row, Row]
const changed = (concern: keyof Row['composition']): Row => ({
  ...row,
  composition: { ...row.composition, [concern]: 'another' },
})

describe('the constant work that may adjust a ratio', () => {
  const cases: readonly [what: string, other: Row, work: string[]][] = [
    ['is all of it between equal rows', again, ['orders', 'generator', 'tasks']],
    ['is all of it where one has a handicap', slower, ['orders', 'generator', 'tasks']],
    ['is all of it where a concern moves that decides none of it', changed('logging'), ['orders', 'generator', 'tasks']], // biome-ignore format: a table
    ['is no task where tasks run elsewhere', changed('compute'), ['orders', 'generator']],
    ['is only the generator where orders answers in another format', changed('serialization'), ['generator']],
    ['is only the generator where others fetch, and decode and encode', changed('upstream'), ['generator']],
    ['is no task where workers have another priority', { ...row, app: { workerPriority: 5 } }, ['orders', 'generator']], // biome-ignore format: a table
    ['is none at different rates', { ...row, ratePerSecond: 100 }, []],
  ]
  for (const [what, other, work] of cases) {
    test(what, () => assert.deepEqual(findCovariates('mainThreadMicros', same, other), work))
  }

  test('is nothing that the metric contains, and nothing for a metric that does not follow the machine', () => {
    assert.deepEqual(findCovariates('totalMicros', same, again), ['orders', 'generator'])
    assert.deepEqual(findCovariates('wakeups', same, again), [])
  })
})
