import assert from 'node:assert/strict'
import { lstatSync, mkdirSync, realpathSync, statSync, symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { temporaryDirectory } from '../../test/temporary-directory.ts'
import { openLogFile } from './log-file.ts'

test('a log file has an absolute path, and only its user may read it, whatever the umask is', t => {
  const file = join(realpathSync(temporaryDirectory(t)), 'logs', 'deep', 'app.log')
  const umask = process.umask(0)
  try {
    assert.equal(openLogFile(relative('.', file)), file)
  } finally {
    process.umask(umask)
  }
  const modes = [file, join(file, '..'), join(file, '../..')].map(path => statSync(path).mode & 0o777)
  assert.deepEqual(modes, [0o600, 0o700, 0o700])
})

test('a log file that is a link is the file to which it leads, so that a rotation keeps the link', t => {
  const directory = realpathSync(temporaryDirectory(t))
  const [link, file] = [join(directory, 'app.log'), join(directory, 'disk', 'real.log')]
  mkdirSync(join(directory, 'disk'))
  symlinkSync(file, link)
  assert.equal(openLogFile(link), link, 'nobody has written the file yet')
  assert.equal(openLogFile(link), file)
  assert.ok(lstatSync(link).isSymbolicLink())
})
