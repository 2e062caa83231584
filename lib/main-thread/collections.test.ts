import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Linked, LinkedList } from './collections.ts'

interface Item extends Linked<Item> {
  readonly name: string
}

/** A list of items with these names. */
function listOf(...names: string[]) {
  const list = new LinkedList<Item>()
  const items = names.map((name): Item => ({ name }))
  for (const item of items) list.add(item)
  return { list, items }
}

const namesIn = (list: LinkedList<Item>) => Array.from(list, ({ name }) => name).join('')

for (const [left, rest] of [
  ['a', 'bc'],
  ['b', 'ac'],
  ['c', 'ab'],
  ['abc', ''],
  ['cb', 'a'],
] as const) {
  test(`without ${left}, abc is ${rest || 'empty'}, and items that have left refer to no other`, () => {
    const { list, items } = listOf('a', 'b', 'c')
    const leaving = Array.from(left, each => items.find(({ name }) => name === each) as Item)
    assert.deepEqual(
      leaving.map(item => list.delete(item)),
      leaving.map(() => true),
    )
    assert.equal(namesIn(list), rest)
    assert.equal(list.size, rest.length)
    assert.equal(list.first?.name, rest[0])
    for (const item of leaving) {
      assert.deepEqual([item.previous, item.next], [undefined, undefined])
      assert.ok(!list.has(item))
      assert.ok(!list.delete(item))
    }
    list.add({ name: 'd' })
    assert.equal(namesIn(list), `${rest}d`)
  })
}

test('items are taken in the order in which they came', () => {
  const { list } = listOf('a', 'b')
  assert.deepEqual([list.shift()?.name, list.shift()?.name, list.shift()], ['a', 'b', undefined])
  assert.equal(list.size, 0)
})

test('an item may leave while the list is read', () => {
  const { list } = listOf('a', 'b', 'c')
  const seen: string[] = []
  for (const item of list) {
    seen.push(item.name)
    list.delete(item)
  }
  assert.deepEqual([seen.join(''), list.size], ['abc', 0])
})
