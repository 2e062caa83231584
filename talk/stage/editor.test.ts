import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileOf, requireWorktrees } from './editor.ts'
import { describeSteps } from './setting.ts'

test('each step is about a file, which is there', () => {
  for (const step of describeSteps()) {
    const directory = `step-${step.number}-${step.name}`
    const file = fileOf('trees', step)
    assert.ok(file.startsWith(join('trees', directory)))
    const here = file.replace(join('trees', directory), join(import.meta.dirname, '../..'))
    assert.ok(existsSync(here), here)
  }
})

test('worktrees that are not there are refused with the command that makes them', () => {
  requireWorktrees(import.meta.dirname)
  assert.throws(
    () => requireWorktrees('/no/trees'),
    /no \/no\/trees; npm run branches -- --worktrees \/no\/trees/,
  )
})
