import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import ours from './ours.json' with { type: 'json' }

test('the table of our own concerns names files and folders that are there', () => {
  const paths = Object.values(ours)
    .flat()
    .filter(name => name.startsWith('./'))
  const absent = paths.filter(path => !existsSync(join(import.meta.dirname, '../..', path)))
  assert.deepEqual(absent, [])
})
