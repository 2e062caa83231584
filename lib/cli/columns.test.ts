import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { renderColumns } from './columns.ts'

const columns = ['step', 'one', 'two', 'three'].map(title => ({
  title,
  cell: (row: string) => `${row}-${title}`,
}))
const linesAt = (width: number) => renderColumns(['a', 'b'], columns, width).split('\n')

describe('a table', () => {
  test('is one where it fits', () => {
    assert.deepEqual(linesAt(31), [
      'step      one    two    three',
      'a-step  a-one  a-two  a-three',
      'b-step  b-one  b-two  b-three',
    ])
  })

  test('continues below with the columns that do not fit, behind the first column', () => {
    assert.deepEqual(linesAt(20), [
      'step      one    two',
      'a-step  a-one  a-two',
      'b-step  b-one  b-two',
      '',
      'step      three',
      'a-step  a-three',
      'b-step  b-three',
    ])
  })

  test('has one column besides the first even where that does not fit', () => {
    assert.equal(linesAt(5).length, 3 * 4 - 1)
  })

  test('without rows has titles', () => {
    assert.equal(renderColumns([], columns, 80), 'step  one  two  three')
  })
})
