import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

test('a Node.js that is too old gets one line that says which version is needed', () => {
  const { status, stderr } = runOn('22.19.0')
  assert.equal(status, 1)
  assert.match(stderr, /^error: this is Node\.js 22\.19\.0, and \d+ or later is needed\. .*\n$/)
})

test('the Node.js that is pinned, and a later one, are accepted', () => {
  for (const version of [process.versions.node, '99.0.0'])
    assert.deepEqual(runOn(version), { status: 0, stderr: '' })
})

/** Runs the check in a process that takes itself for another version of Node.js. */
function runOn(version: string) {
  const pretend = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`
  const args = ['--import', `data:text/javascript,${pretend}`, join(import.meta.dirname, 'require-node.js')]
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  return { status, stderr }
}
