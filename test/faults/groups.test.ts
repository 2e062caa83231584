import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { groups, leftOut } from './groups.ts'

const DOCUMENT = join(import.meta.dirname, '../../docs/reliability.md')

test('docs/reliability.md has a row for every group of faults, and says which are left out at a step', () => {
  const text = readFileSync(DOCUMENT, 'utf8')
  const rows = text.split('\n').filter(line => line.startsWith('|'))
  const [, reasons = ''] = text.split('Some groups are left out')
  const isNamed = (group: string) => (line: string) => line.includes(`\`${group}\``)
  assert.deepEqual(
    Object.keys(groups).filter(group => !rows.some(isNamed(group))),
    [],
  )
  assert.deepEqual(
    Object.keys(leftOut).filter(group => !isNamed(group)(reasons)),
    [],
  )
})
