import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atLoads, atRates } from './compared-rows.ts'
import { withWindowFor } from './generate-load.ts'
import { selectRow } from './rows.ts'

const row = selectRow(undefined, {})
const loads = [10, 1000].map(ratePerSecond => ({ name: `${ratePerSecond}/s`, ratePerSecond }))
const secondsOf = (each: typeof row) => withWindowFor(each, { durationSeconds: 4 }).durationSeconds

test('500 requests are due in the window of every row at a low rate, also of one that is compared with no other', () => {
  assert.deepEqual(atRates([row], [10, 1000]).map(secondsOf), [50, 4])
  assert.deepEqual(atLoads([row], loads).map(secondsOf), [50, 4])
  assert.equal(secondsOf(row), 4)
})
