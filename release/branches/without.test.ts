import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutAbsent } from './without.ts'

const without = (text: string) => withoutAbsent(text, line => line.includes('absent'))

test('a source loses the import of an absent module, and every line that names what it made', () => {
  assert.equal(
    without(`import { guard } from './absent.ts'
import { listen } from './listen.ts'

const client = create()
// The comment of a line goes with it.
const guarded = guard(client, {
  limit: 1,
})
guarded.watch()
listen(client, {
  client,
  guarded,
})
`),
    `import { listen } from './listen.ts'

const client = create()
listen(client, { client })
`,
  )
})

test('a list loses its entries, and an import the names that nothing uses any more', () => {
  assert.equal(
    without(`import { lazy, type Module, since } from './since.ts'
import { poolOptions } from './absent.ts'

export const options = {
  ...poolOptions,
  /** A row. */
  threads: since(1, () => import('./absent.ts')),
  inline: lazy(() => import('./inline.ts')),
}
`),
    `import { lazy } from './since.ts'

export const options = { inline: lazy(() => import('./inline.ts')) }
`,
  )
})

test('a name that was declared in a block means nothing behind it', () => {
  assert.equal(
    without(`import { explain } from './absent.ts'

function refuse(error) {
  const cause = explain(error)
  if (cause) return fail(cause)
  fail(error)
}

function abandon(cause) {
  fail(cause)
}
`),
    `function refuse(error) {
  fail(error)
}

function abandon(cause) {
  fail(cause)
}
`,
  )
})

test('a source that names no absent module stays as it is', () => {
  const text = "const a = 1\n\n\n\nimport { b } from './b.ts'\n"
  assert.equal(without(text), text)
})
