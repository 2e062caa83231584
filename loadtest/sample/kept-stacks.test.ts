import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const skip = (process.platform !== 'linux' || availableParallelism() < 2) && 'there is nothing to choose'
test('the load generator of kept stacks is pinned with the load', { skip }, () => {
  const said = execFileSync(process.execPath, [join(import.meta.dirname, 'kept-stacks.fixture.ts')])
  assert.match(said.toString(), /^(\d+) \1\n$/)
})
