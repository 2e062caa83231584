import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { renderColumns, renderMarkdownTable, replaceBetweenMarkers } from './columns.ts'

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
})

describe('markdown', () => {
  test('tables are padded, the first column to the left', () => {
    const columns = [
      { title: 'step', cell: ({ name }: { name: string }) => name },
      { title: 'µs', cell: () => '12345' },
    ]
    assert.equal(
      renderMarkdownTable([{ name: 'a' }, { name: 'longer' }], columns),
      `| step   |    µs |
| ------ | ----: |
| a      | 12345 |
| longer | 12345 |`,
    )
  })

  test('is replaced between markers, and nowhere else', () => {
    const text = 'before\n<!-- a -->\nold\n<!-- /a -->\nafter <!-- b -->\n'
    const once = replaceBetweenMarkers(text, 'a', 'new $&')
    assert.equal(once, 'before\n<!-- a -->\n\nnew $&\n\n<!-- /a -->\nafter <!-- b -->\n')
    assert.equal(replaceBetweenMarkers(once, 'a', 'new $&'), once)
    assert.throws(() => replaceBetweenMarkers(text, 'b', ''), /there is no <!-- b -->/)
  })
})
