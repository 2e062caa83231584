import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Alternatives, selectRow } from '../sample/rows.ts'
import { findCovariates } from './covariates.ts'

const rowOf = (alternatives: Alternatives) => selectRow('upstream', alternatives)
const workFor = (other: Alternatives, own: Alternatives = {}) =>
  findCovariates('mainThreadMicros', rowOf(own), rowOf(other))

describe('where threads fetch, the constant work that may adjust a ratio', () => {
  const cases: readonly [what: string, other: Alternatives, work: string[]][] = [
    ['is no task where only one formats the log lines', { logging: ['winston'] }, ['orders', 'generator']],
    ['is all of it where telemetry has the same trace', { apm: ['opentelemetry'] }, ['orders', 'generator', 'tasks']],
    ['is only the generator where the work has no trace', { apm: ['none'] }, ['generator']],
    ['is not orders where the main thread fetches the pages', { rendering: ['string'] }, ['generator', 'tasks']],
    ['is only the generator where the main thread fetches', { compute: ['processes'] }, ['generator']],
  ] // biome-ignore format: a table
  for (const [what, other, work] of cases) test(what, () => assert.deepEqual(workFor(other), work))

  test('is all of it where log lines are sent back in both rows', () => {
    assert.deepEqual(workFor({ logging: ['winston'] }, { logging: ['pino'] }), [
      'orders',
      'generator',
      'tasks',
    ])
  })
})
