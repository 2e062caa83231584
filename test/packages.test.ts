import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const lock: { packages: Record<string, { resolved?: string }> } = JSON.parse(
  readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'),
)

test('every package of OpenTelemetry is installed once, in one version', () => {
  const names = Object.keys(lock.packages)
    .map(folder => folder.replace(/^.*node_modules\//, ''))
    .filter(name => name.startsWith('@opentelemetry/'))
  const repeated = names.filter((name, index) => names.indexOf(name) !== index)
  assert.deepEqual(repeated, [], 'package.json needs an entry in "overrides" for these')
})

test('package-lock.json names no registry', () => {
  const bound = Object.entries(lock.packages).filter(([, { resolved }]) => resolved !== undefined)
  assert.deepEqual(bound, [])
})
