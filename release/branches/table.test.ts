import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { reduceTable } from './table.ts'

const lazy = `export const concern = {
  one: () => import('./one.ts'),
  'the-other': () => import('./other.ts'),
}
`
const named = `import { one } from './one.ts'
import { other } from './other.ts'

export const all = {
  one,
  'the-other': other,
}
`
const without = (file: string) => (line: string) => line.includes(file)
const nothing = () => false

describe('a list', () => {
  test('of lazy imports loses the lines of unwanted files', () => {
    assert.equal(
      reduceTable('list.ts', lazy, without('./other.ts'), nothing),
      lazy.replace(/ {2}'the-other.*\n/, ''),
    )
  })

  test('of imports loses the import, and the line that names it', () => {
    assert.equal(
      reduceTable('list.ts', named, without('./other.ts'), nothing),
      "import { one } from './one.ts'\n\nexport const all = {\n  one,\n}\n",
    )
  })

  test('that has no line left is empty', () => {
    assert.equal(reduceTable('list.ts', lazy, without('import'), nothing), 'export const concern = {}\n')
  })

  test('loses a line that belongs to other steps', () => {
    const isForeign = (line: string) => line.includes('the-other')
    assert.equal(reduceTable('list.ts', lazy, nothing, isForeign), lazy.replace(/ {2}'the-other.*\n/, ''))
  })

  test('in another form is an error that names the place', () => {
    const text = `${named}other.run()\n`
    assert.throws(
      () => reduceTable('list.ts', text, without('./other.ts'), nothing),
      /list\.ts .* its other /,
    )
  })
})
