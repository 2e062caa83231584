import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ThreadPlaces } from './thread-places.ts'

test('a thread keeps its place, and a replacement takes the place of the thread that died', () => {
  const places = new ThreadPlaces()
  assert.deepEqual(places.numbersOf([7, 9, 11]), [1, 2, 3])
  assert.deepEqual(places.numbersOf([9, 11]), [2, 3])
  assert.deepEqual(places.numbersOf([9, 11, 13]), [2, 3, 1])
  assert.deepEqual(places.numbersOf([13, 15, 11, 17]), [1, 2, 3, 4])
})
