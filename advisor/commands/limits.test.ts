import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseLimits } from './limits.ts'

test('limits are concerns with shares', () => {
  assert.deepEqual(parseLimits('logging=20%,auth and crypto=0.5%'), [
    { concern: 'logging', share: 0.2 },
    { concern: 'auth and crypto', share: 0.005 },
  ])
  for (const wrong of ['logging', 'logging=20', '=20%', 'logging=20%;apm=1%'])
    assert.equal(parseLimits(wrong), undefined)
})
