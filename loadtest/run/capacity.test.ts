import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Settings } from '../outcome/results.ts'
import { selectRow } from '../sample/rows.ts'
import type { Sample } from '../sample/sample.ts'
import { measureCapacity } from './capacity.ts'

const measure = (...samples: Partial<Sample>[]) => {
  const left = [...samples]
  const take = async () => (left.shift() ?? { valid: false, reason: 'too busy' }) as Sample
  return measureCapacity(selectRow('0', {}), 2, {} as Settings, new AbortController().signal, take)
}

describe('the capacity of a row', () => {
  test('is the goodput of its valid samples', async () => {
    assert.deepEqual(
      await measure(
        { valid: true, goodput: 500 },
        { valid: false, reason: 'errors' },
        { valid: true, goodput: 510 },
      ),
      [500, 510],
    )
  })

  test('cannot be told without one', async () => {
    await assert.rejects(measure(), /the capacity of monolith could not be measured: too busy; give --rate/)
  })
})
