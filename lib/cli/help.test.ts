import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { helpText } from './help.ts'
import { choice, choices, integer, text, toggle } from './options.ts'

const command = {
  usage: 'npm start -- [options]',
  description: `Does a thing whose description has been broken
where the source has its margin.

A second paragraph.`,
  options: {
    step: choice({ choices: ['one', 'two'], default: 'two', help: 'the step' }),
    targets: choices({ choices: ['file', 'stdout'], help: 'where lines go' }),
    aVeryLongNameThatNobodyWouldGiveToAnOption: integer({ min: 0, max: 9, help: 'short' }),
    file: text({
      placeholder: 'FILE',
      help: 'a help text that has to be broken into several lines at 60 columns',
    }),
    quick: toggle({ help: 'less' }),
  },
}
const linesAt = (width: number) => helpText(command, width).split('\n')

describe('the help of a command', () => {
  test('says which values an option takes, and its default', () => {
    const help = helpText(command, 100)
    assert.match(help, /--step NAME +the step \(one of one, two; default two\)\n/)
    assert.match(help, /--targets A,B,C +where lines go \(a list of file, stdout\)\n/)
  })

  for (const width of [60, 80, 120])
    test(`fits ${width} columns, and has all texts in one column`, () => {
      const lines = linesAt(width)
      assert.deepEqual(
        lines.filter(line => line.length > width),
        [],
      )
      const starts = ['the step', 'less', 'print this and exit'].map(help =>
        lines.find(line => line.endsWith(help) || line.includes(`${help} (`))?.indexOf(help),
      )
      assert.equal(new Set(starts).size, 1, lines.join('\n'))
    })

  test('puts a flag that is too long on a line of its own', () => {
    const lines = linesAt(60)
    const at = lines.indexOf('  --a-very-long-name-that-nobody-would-give-to-an-option N')
    assert.match(lines[at + 1] as string, /^ +short$/)
  })
})
