import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstStep } from '../../app/steps.ts'
import type { Tree } from './git.ts'
import { hashTests, testsToRun } from './tests-to-run.ts'

/** A tree in which two of three tests reach a module with this text. */
function treeWith(text: string): Tree {
  const texts = {
    'lib/a.ts': text,
    'lib/a.test.ts': "import './a.ts'",
    'lib/b.test.ts': '',
    'loadtest/c.test.ts': "import '../lib/a.ts'",
  }
  const files = Object.entries(texts).map(
    ([path, content]) => [path, { mode: '100644', content: Buffer.from(content) }] as const,
  )
  return new Map(files)
}

test('the tests of a branch that run are those that reach other texts than on main and on earlier branches', () => {
  const seen = new Set(hashTests(treeWith('main'), firstStep).values())
  const runOn = (text: string) => testsToRun(treeWith(text), firstStep, seen)
  assert.deepEqual(runOn('main'), [])
  assert.deepEqual(runOn('one'), ['lib/a.test.ts', 'loadtest/c.test.ts'])
  assert.deepEqual(runOn('one'), [])
  assert.deepEqual(runOn('two'), ['lib/a.test.ts'], 'a test of the load test runs on one branch')
})
