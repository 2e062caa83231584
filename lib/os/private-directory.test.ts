import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryDirectory } from '../../test/temporary-directory.ts'
import { makePrivateDirectory } from './private-directory.ts'

const refused = (reason: string) => ({
  name: 'UserError',
  message: new RegExp(`^cannot use .* \\(${reason}\\); choose another directory with --log-dir$`),
})

test('a private directory is made with its parents, for this user only', t => {
  const directory = join(temporaryDirectory(t), 'a', 'b')
  makePrivateDirectory(directory, '--log-dir')
  assert.equal(statSync(directory).mode & 0o777, 0o700)
  makePrivateDirectory(directory, '--log-dir')
})

for (const mode of [0o770, 0o702, 0o1777]) {
  test(`a directory of mode ${mode.toString(8)} is refused`, t => {
    const directory = join(temporaryDirectory(t), 'shared')
    mkdirSync(directory)
    chmodSync(directory, mode)
    assert.throws(() => makePrivateDirectory(directory, '--log-dir'), refused('others may write to it'))
  })
}

test('a directory that cannot be made is refused in one line', t => {
  const file = join(temporaryDirectory(t), 'file')
  writeFileSync(file, '')
  assert.throws(() => makePrivateDirectory(join(file, 'below'), '--log-dir'), refused('ENOTDIR'))
})
