import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loadedBy, referencesOf } from './references.ts'

const files = ['a/b.ts', 'a/c.ts', 'a/style.css', 'a/page/one.ts', 'a/page/two.ts', 'stack/main.ts']
const tree = {
  has: (path: string) => files.includes(path),
  below: (directory: string) => files.filter(path => path.startsWith(`${directory}/`)),
}

const cases: readonly (readonly [what: string, text: string, files: string[], packages: string[]])[] = [
  ['an import', "import { c } from './c.ts'", ['a/c.ts'], []],
  ['an import of types', "import type { C } from './c.ts'", ['a/c.ts'], []],
  ['an import for its effect', "import './c.ts'", ['a/c.ts'], []],
  ['an export of what is imported', "export { c } from './c.ts'", ['a/c.ts'], []],
  ['an import of several lines', "import {\n  c,\n} from './c.ts'", ['a/c.ts'], []],
  ['a lazy import', "c: () => import('./c.ts'),", ['a/c.ts'], []],
  ['packages, and files of them', "import x from '@a/b/c'\nimport 'd/e'", [], ['@a/b', 'd']],
  ['a module of Node.js', "import 'node:fs'", [], []],
  ['a package that is resolved', "import.meta.resolve('@a/font/400.ttf')", [], ['@a/font']],
  ['a file beside', "join(import.meta.dirname, 'style.css')", ['a/style.css'], []],
  [
    'a file elsewhere, in parts',
    "join(import.meta.dirname, '..', 'stack', 'main.ts')",
    ['stack/main.ts'],
    [],
  ],
  ['a file by URL', "new URL('./c.ts', import.meta.url)", ['a/c.ts'], []],
  [
    'a folder: all that is in it',
    "join(import.meta.dirname, 'page')",
    ['a/page/one.ts', 'a/page/two.ts'],
    [],
  ],
  ['the folder that it lies in: nothing', "join(import.meta.dirname, '..')", [], []],
  ['a file by its path from the root', "run('stack/main.ts')", ['stack/main.ts'], []],
  ['a file by its name, as a build takes it', "entryPoints: ['style.css']", ['a/style.css'], []],
  ['what a build makes', "join(import.meta.dirname, 'dist')", [], []],
]

describe('the references of a source', () => {
  for (const [what, text, expected, packages] of cases) {
    test(`tell ${what}`, () => {
      const found = referencesOf('a/b.ts', text, tree)
      assert.deepEqual([[...found.files], [...found.packages]], [expected, packages])
    })
  }
})

const loaded: readonly (readonly [what: string, text: string, files: string[], packages: string[]])[] = [
  ['an import, and a package', "import { c } from './c.ts'\nimport d from 'd'", ['a/c.ts'], ['d']],
  ['no import of types', "import type {\n  C,\n} from './c.ts'\nexport type { D } from 'd'", [], []],
  ['no import that only names a type', "const d: typeof import('./c.ts') = d", [], []],
  ['an import beside a type that has quotes', "type D = 'd'\nimport './c.ts'", ['a/c.ts'], []],
  ['a lazy import', "c: () => import('./c.ts'),", ['a/c.ts'], []],
  ['a file that is located', "join(import.meta.dirname, 'style.css')", ['a/style.css'], []],
  ['no file that is only named', "run('stack/main.ts')", [], []],
]

describe('what a source loads', () => {
  for (const [what, text, expected, packages] of loaded) {
    test(`is ${what}`, () => {
      const found = loadedBy('a/b.ts', text, tree, true)
      assert.deepEqual([[...found.files], [...found.packages]], [expected, packages])
    })
  }

  test('leaves lazy imports out where they are not used', () => {
    const text = "import './page/one.ts'\nexport const c = () => import('./c.ts')"
    assert.deepEqual([...loadedBy('a/b.ts', text, tree, false).files], ['a/page/one.ts'])
  })
})
