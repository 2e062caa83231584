import './from-sources.ts'
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const EXAMPLE = join(import.meta.dirname, 'plain-service')

// @ts-expect-error the example is JavaScript
const { variants } = await import('./plain-service/compose.js')
// @ts-expect-error the example is JavaScript
await import('./plain-service/test/service.test.js')

/** Lines that may be added and removed, so that the change of an offload fits a slide. */
const SLIDE = 40

for (const changed of variants.after as string[])
  test(`the change for the offload of ${changed} fits a slide`, () => {
    const files = readdirSync(join(EXAMPLE, changed), { recursive: true, encoding: 'utf8' })
    const lines = files
      .filter(file => file.endsWith('.js'))
      .reduce((sum, file) => sum + countChanged(changed, file), 0)
    assert.ok(lines > 0 && lines <= SLIDE, `${lines} lines`)
  })

function countChanged(changed: string, file: string): number {
  const replaced = join('service', file)
  const before = existsSync(join(EXAMPLE, replaced)) ? replaced : '/dev/null'
  const compared = ['diff', '--no-index', '--numstat', before, join(changed, file)]
  const { stdout } = spawnSync('git', compared, { cwd: EXAMPLE, encoding: 'utf8' })
  const [added, removed] = stdout.split('\t').map(Number) as [number, number]
  return added + removed
}
