import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { referencesOf } from './references.ts'

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
