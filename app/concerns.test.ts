import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { referencesOf } from '../lib/build/sources/references.ts'
import { concerns } from './concerns.ts'

const ROOT = join(import.meta.dirname, '..')
const FOLDER = /^app\/concerns\/(\w+)\//
const files = globSync('app/concerns/*/*.ts', { cwd: ROOT }).filter(
  path => !/\.(test|fixture)\.ts$/.test(path),
)
const all = new Set(
  globSync('{app,workers,render,lib,logger-transport,apm-agent}/**/*.{ts,tsx}', { cwd: ROOT }),
)

/** The files that a file refers to: by imports, of types too, and by their paths. */
const namedBy = (path: string) => [
  ...referencesOf(path, readFileSync(join(ROOT, path), 'utf8'), {
    has: file => all.has(file),
    below: () => [],
  }).files,
]

const concernOf = (path: string) => FOLDER.exec(path)?.[1]

const strangersIn = (path: string) =>
  namedBy(path).filter(file => concernOf(file) && concernOf(file) !== concernOf(path))

test('no concern refers to a file of another concern, not even by its path', () => {
  assert.deepEqual(new Set(files.map(concernOf)), new Set(concerns))
  assert.deepEqual(
    files.flatMap(path => strangersIn(path).map(file => `${path} names ${file}`)),
    [],
  )
})
