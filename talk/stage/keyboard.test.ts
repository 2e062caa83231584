import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { commandOfKey } from '../../screen/keys.ts'

/** `script` of util-linux gives a command a terminal of its own. */
const hasTerminals = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0

test('digits, arrows and the keys of a clicker are commands', () => {
  assert.deepEqual(commandOfKey({ sequence: '7' }), { kind: 'go', step: 7 })
  assert.deepEqual(commandOfKey({ name: 'pagedown' }), { kind: 'move', by: 1 })
  assert.deepEqual(commandOfKey({ name: 'pageup' }), { kind: 'move', by: -1 })
  assert.deepEqual(commandOfKey({ name: 'space', sequence: ' ' }), { kind: 'tour' })
  assert.equal(commandOfKey({ name: 'x', sequence: 'x' }), undefined)
})

test('keys of a terminal are obeyed while processes that were started before are replaced, five times', {
  skip: hasTerminals ? false : 'needs script of util-linux',
  timeout: 60_000,
}, async t => {
  const fixture = join(import.meta.dirname, 'keyboard.fixture.ts')
  const terminal = spawn('script', ['-qec', `"${process.execPath}" "${fixture}"`, '/dev/null'])
  t.after(() => terminal.kill())
  const lines = createInterface({ input: terminal.stdout })[Symbol.asyncIterator]()
  const nextLine = async () => (await lines.next()).value?.trim()
  assert.equal(await nextLine(), 'ready')
  for (const step of [1, 2, 3, 4, 5]) {
    terminal.stdin.write(String(step))
    assert.equal(await nextLine(), `obeyed {"kind":"go","step":${step}}`)
  }
  terminal.stdin.write('q')
  assert.equal(await nextLine(), 'ended')
})
