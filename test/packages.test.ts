import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import manifest from '../package.json' with { type: 'json' }

interface Entry {
  readonly resolved?: string
  /** Set for a workspace, which is a folder of the project. */
  readonly link?: boolean
  readonly engines?: { readonly node?: string }
}

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const lock: { packages: Record<string, Entry> } = JSON.parse(read('package-lock.json'))
const pinned = Object.values(manifest.optionalDependencies)

test('every package of OpenTelemetry is installed once, in one version', () => {
  const names = Object.keys(lock.packages)
    .map(folder => folder.replace(/^.*node_modules\//, ''))
    .filter(name => name.startsWith('@opentelemetry/'))
  const repeated = names.filter((name, index) => names.indexOf(name) !== index)
  assert.deepEqual(repeated, [], 'package.json needs an entry in "overrides" for these')
})

test('package-lock.json names no registry', () => {
  const bound = Object.entries(lock.packages).filter(
    ([, { resolved, link }]) => resolved !== undefined && !link,
  )
  assert.deepEqual(bound, [])
})

test('one Node.js is pinned for all platforms, and .nvmrc names it', () => {
  assert.equal(new Set(pinned).size, 1)
  assert.equal(read('.nvmrc').trim(), pinned[0]?.split('.')[0])
})

test('"engines" is a version of Node.js that no package refuses', () => {
  const ours = lowestOf(manifest.engines.node)
  const refusing = Object.entries(lock.packages).filter(([, { engines }]) => lowestOf(engines?.node) > ours)
  assert.deepEqual(refusing, [])
})

/** The version in a range such as `>=22.19.0`, as a number; 0 for ranges of other forms. */
function lowestOf(range = ''): number {
  const [, major = 0, minor = 0] = /^>= ?(\d+)(?:\.(\d+))?[\d.]*$/.exec(range) ?? []
  return Number(major) * 1000 + Number(minor)
}
