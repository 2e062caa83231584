import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'

const folder = import.meta.dirname

test('the package is one file that needs nothing but Node.js', () => {
  execFileSync(process.execPath, [join(folder, '../release/packages/build.ts'), 'advisor'])
  const bundle = readFileSync(join(folder, 'dist/main.js'), 'utf8')
  assert.match(bundle, /^#!\/usr\/bin\/env node\n/)
  const imported = [...bundle.matchAll(/^import .* from "([^"]+)";$/gm)].map(([, name]) => name as string)
  assert.ok(imported.length > 0)
  assert.deepEqual(
    imported.filter(name => !isBuiltin(name)),
    [],
  )
  // The names of the wrappers of JSON are told apart in profiles.
  assert.match(bundle, /\bparse: \(\w+, \w+\) => realParse\(/)
  assert.match(bundle, /\bstringify: \(\w+, \w+, \w+\) => realStringify\(/)
  assert.doesNotMatch(bundle, /docs\/results/)
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  assert.equal(dependencies, undefined)
  const help = execFileSync(process.execPath, [join(folder, 'dist/main.js'), '--help'], { encoding: 'utf8' })
  assert.match(help, /^Usage: main-thread NAME.*spectrum, versus, what-if/s)
})
