import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { firstStep } from '../../app/steps.ts'
import { handicapped, twice } from '../sample/compared-rows.ts'
import { type Row, selectRow } from '../sample/rows.ts'
import { findCovariates } from './summarize.ts'

const row = selectRow(firstStep.name, {})
const [same, again] = twice(row) as [Row, Row]
const [, slower] = handicapped(row, 3) as [Row, Row]

describe('the constant work that may adjust a ratio', () => {
  const all = ['orders', 'generator', 'tasks']
  const cases: readonly [what: string, other: Row, work: string[]][] = [
    ['is all of it between equal rows', again, all],
    ['is all of it where one has a handicap', slower, all],
    ['is none where a concern moves', { ...row, composition: { ...row.composition, logging: 'pino' } }, []],
    ['is none where the app has several instances', { ...row, app: { instances: 2 } }, []],
    ['is none on another Node.js', { ...row, node: { version: '24.0.0', v8: '13.6' } }, []],
    ['is none at different rates', { ...row, ratePerSecond: 100 }, []],
  ] // biome-ignore format: a table
  for (const [what, other, work] of cases)
    test(what, () => assert.deepEqual(findCovariates('mainThreadMicros', same, other), work))

  test('is nothing that the metric contains, and nothing for a metric that does not follow the machine', () => {
    assert.deepEqual(findCovariates('totalMicros', same, again), ['orders', 'generator'])
    assert.deepEqual(findCovariates('wakeups', same, again), [])
  })
})
