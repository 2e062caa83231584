import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseRollup } from './machine.ts'

const ROLLUP = `55e1b16dd000-7ffdeffc9000 ---p 00000000 00:00 0                          [rollup]
Rss:                2172 kB
Pss:                 837 kB
Pss_Dirty:           152 kB
`

describe('the memory of a process', () => {
  test('is read from smaps_rollup', () => {
    assert.equal(parseRollup(ROLLUP, 'Pss'), 837 * 1024)
    assert.equal(parseRollup(ROLLUP, 'Rss'), 2172 * 1024)
  })

  test('is not made up where a field is missing', () => {
    assert.throws(() => parseRollup(ROLLUP, 'Swap'), RangeError)
  })
})
