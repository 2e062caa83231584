import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RowResult } from '../outcome/results.ts'
import { checkCeiling } from './ceiling-remarks.ts'

const at = (ratePerSecond: number, mainThreadMicros?: object) =>
  ({ ratePerSecond, versusFirst: mainThreadMicros ? { mainThreadMicros } : null }) as unknown as RowResult

test('the ceiling model is checked against the lowest rate', () => {
  const lines = checkCeiling([
    at(100),
    at(200, { ratio: 1, ci95: [0.99, 1.01], verdict: 'equivalent' }),
    at(400, { ratio: 0.8, ci95: [0.75, 0.87], verdict: 'faster' }),
    at(800, { ratio: 1.5, ci95: [1.4, 1.6], verdict: 'slower' }),
    at(900, { ratio: 1.5, ci95: null, verdict: 'inconclusive' }),
  ])
  assert.deepEqual(lines, [
    'From 100 to 200 requests a second a response costs the main thread the same: the ceiling model holds.',
    'From 100 to 400 requests a second the main-thread cost of a response falls by 13 to 25 %: the ceiling calculated at the lower rate is too low.',
    'From 100 to 800 requests a second the main-thread cost of a response rises by 40 to 60 %: the ceiling calculated at the lower rate is too high.',
    'From 100 to 900 requests a second the run cannot confirm or reject the ceiling model.',
  ])
  assert.deepEqual(checkCeiling([at(100)]), [])
})
