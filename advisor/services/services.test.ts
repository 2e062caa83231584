import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { services } from './services.fixture.ts'

test('the guide lists the services that are tried, each with its largest concern', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/your-service.md'), 'utf8')
  const [, table = ''] = /^\| service +\| largest concern +\|\n\|.*\n((?:\|.*\n)+)/m.exec(guide) ?? []
  const rows = table
    .trim()
    .split('\n')
    .map(line => line.split('|').map(cell => cell.trim()))
  assert.deepEqual(
    rows.map(([, title, largest]) => [title, largest]),
    Object.values(services).map(({ title, largest }) => [title, largest]),
  )
})
