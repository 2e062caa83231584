import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Settings } from '../outcome/results.ts'
import { selectRow } from '../sample/rows.ts'
import type { Sample } from '../sample/sample.ts'
import { measureCapacity } from './open.ts'

const measure = (...samples: Partial<Sample>[]) => {
  const left = [...samples]
  const take = async () => (left.shift() ?? { valid: false, reason: 'too busy' }) as Sample
  return measureCapacity(selectRow('0', {}), 2, {} as Settings, new AbortController().signal, take)
}

test('the capacity of a row is the goodput of its valid samples, and cannot be told without one', async () => {
  const [valid, refused] = [
    { valid: true, goodput: 500 },
    { valid: false, reason: 'errors' },
  ]
  assert.deepEqual(await measure(valid, refused, { ...valid, goodput: 510 }), [500, 510])
  await assert.rejects(measure(), /the capacity of monolith could not be measured: too busy; give --rate/)
})
