import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCores } from './cores.ts'

test('the list of cores that a process may use is read as the kernel writes it', () => {
  assert.deepEqual(parseCores('0-1'), [0, 1])
  assert.deepEqual(parseCores('2,4-6,9'), [2, 4, 5, 6, 9])
  assert.deepEqual(parseCores(''), [])
})
