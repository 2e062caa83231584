import assert from 'node:assert/strict'
import { test } from 'node:test'
import { subsetSum } from '../../workers/subset-sum.ts'
import { expectedCpu } from './expected.ts'

test('the right bodies, computed by dynamic programming, are what enumeration finds', () => {
  for (let size = 1; size <= 10; size++) {
    for (let seed = 0; seed < 50; seed++) {
      assert.equal(expectedCpu(size, seed), JSON.stringify(subsetSum.run({ size, seed })))
    }
  }
})
