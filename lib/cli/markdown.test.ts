import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { renderMarkdownTable, replaceBetweenMarkers } from './markdown.ts'

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
