import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SlotMap } from './slot-map.ts'

test('a slot has a value until that is deleted, and may have another then', () => {
  const map = new SlotMap<{ readonly name: string }>()
  map.set(3, { name: 'a' })
  map.set(0, { name: 'b' })
  assert.deepEqual([map.size, map.slots(), map.get(3)?.name, map.get(1)], [2, [0, 3], 'a', undefined])
  map.delete(3)
  map.delete(3)
  assert.deepEqual([map.size, map.get(3)], [1, undefined])
  map.set(3, { name: 'c' })
  assert.deepEqual(
    Array.from(map, ([slot, { name }]) => `${slot}${name}`),
    ['0b', '3c'],
  )
})
