import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countCores, MOST_CORES, parseCores } from './cores.ts'

test('the list of cores that a process may use is read as the kernel writes it', () => {
  assert.deepEqual(parseCores('0-1'), [0, 1])
  assert.deepEqual(parseCores('2,4-6,9'), [2, 4, 5, 6, 9])
  assert.deepEqual(parseCores(''), [])
})

test('all cores are used unless so many are given, or an app cannot use them', () => {
  assert.equal(countCores(undefined, 8), 8)
  assert.equal(countCores(4, 8), 4)
  assert.equal(countCores(MOST_CORES, 96), MOST_CORES)
  assert.throws(() => countCores(undefined, 96), {
    message: 'of 96 cores an app can use 64; say how many with --cores',
  })
})
