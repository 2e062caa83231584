import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Lock } from '../locked-packages.ts'
import { joinWorkspaces, type Manifest, reduceLock } from './manifest.ts'

const read = <Value>(name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../..', name), 'utf8')) as Value

const manifestOf = (dependencies: Record<string, string>, devDependencies = {}): Manifest => ({
  scripts: {},
  dependencies,
  devDependencies,
})

const lock: Lock = {
  packages: {
    '': { optionalDependencies: { tool: '1' } },
    'node_modules/a': { version: '1', dependencies: { shared: '1' }, funding: { url: 'https://b' } },
    'node_modules/a/node_modules/shared': { version: '1' },
    'node_modules/b': { version: '1', dependencies: { shared: '2' }, peerDependencies: { peer: '1' } },
    'node_modules/peer': { version: '1' },
    'node_modules/shared': { version: '2', optionalDependencies: { native: '1', absent: '1' } },
    'node_modules/native': { version: '1', optional: true, os: ['darwin'] },
    'node_modules/tool': { version: '1', optional: true },
  },
}

describe('a smaller lock file', () => {
  test('equals the whole one without funding when no package is left out', () => {
    const whole = read<Lock>('package-lock.json')
    const manifest = joinWorkspaces(read<Manifest>('package.json'), folder => read(`${folder}/package.json`))
    const again = reduceLock(whole, manifest)
    const installed = Object.entries(whole.packages).filter(([path, { link }]) => path.includes('/') && !link)
    assert.deepEqual(Object.keys(again.packages), ['', ...installed.map(([path]) => path)])
    for (const [path, { funding, ...entry }] of installed) assert.deepEqual(again.packages[path], entry, path)
  })

  test('has the reached packages, each where Node.js finds it, on every platform', () => {
    const paths = (...names: string[]) => {
      const manifest = manifestOf(Object.fromEntries(names.map(name => [name, '1'])))
      return Object.keys(reduceLock(lock, manifest).packages).map(path =>
        path.replaceAll('node_modules/', ''),
      )
    }
    assert.deepEqual(paths('a'), ['', 'a', 'a/shared', 'tool'])
    assert.deepEqual(paths('b'), ['', 'b', 'peer', 'shared', 'native', 'tool'])
    assert.deepEqual(paths(), ['', 'tool'])
  })

  test('names a missing package and the package that needs it', () => {
    const broken = { packages: { '': {}, 'node_modules/a': { dependencies: { gone: '1' } } } }
    assert.throws(
      () => reduceLock(broken, manifestOf({ a: '1' })),
      /has no gone, which node_modules\/a needs/,
    )
  })
})
