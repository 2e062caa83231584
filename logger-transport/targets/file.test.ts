import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs, { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { temporaryDirectory } from '../../test/temporary-directory.ts'
import { enrich } from '../record.ts'
import { createFileTarget } from './file.ts'

function start(t: TestContext, content = '') {
  const directory = join(temporaryDirectory(t), 'logs')
  const file = join(directory, 'app.log')
  fs.mkdirSync(directory)
  writeFileSync(file, content)
  const target = createFileTarget({ file, maxBytes: Number.POSITIVE_INFINITY, kept: 1 })
  t.after(() => target.close())
  return { directory, file, deliver: (line: string) => target.deliver([enrich(line, {})]) }
}

const read = (file: string) => readFileSync(file, 'utf8')

test('the file target rotates at its size and keeps as many files as it should', async t => {
  const directory = temporaryDirectory(t)
  const file = join(directory, 'app.log')
  const lines = Array.from({ length: 12 }, (_, n) => `{"n":${n + 10}}`)
  // Two lines of nine bytes fit into a file. The target is closed and opened once in between, and continues its files.
  for (const half of [lines.slice(0, 6), lines.slice(6)]) {
    const target = createFileTarget({ file, maxBytes: 20, kept: 3 })
    for (const line of half) await target.deliver([enrich(line, {})])
    await target.close()
  }
  const [last, ...rotated] = readdirSync(directory).sort()
  assert.deepEqual([last, rotated], ['app.log', ['app.log.3', 'app.log.4', 'app.log.5']])
  const kept = [...rotated, 'app.log'].map(name => read(join(directory, name))).join('')
  assert.equal(kept, lines.slice(4).join('\n').concat('\n'))
})

describe('a file that lines are appended to', () => {
  test('is none while a pipe has its place, to which no write could end', async t => {
    const { file, deliver } = start(t)
    rmSync(file)
    execFileSync('mkfifo', [file])
    await assert.rejects(deliver('{"n":1}'), /is a pipe$/)
    rmSync(file)
    await deliver('{"n":1}')
    assert.equal(read(file), '{"n":1}\n')
  })

  for (const [what, content, kept] of [
    ['is cut after its last whole line', '{"n":1}\n{"n":', '{"n":1}\n'],
    ['is emptied when it holds half a line and nothing else', '{"n":', ''],
    ['is left as it is when its last line is whole', '{"n":1}\n', '{"n":1}\n'],
    ['loses half a line of 1 MiB', `{"n":1}\n${'x'.repeat(2 ** 20)}`, '{"n":1}\n'],
    [
      'keeps what is too long to be a line of this transport, and ends it',
      'x'.repeat(3 * 2 ** 20),
      `${'x'.repeat(3 * 2 ** 20)}\n`,
    ],
  ] as const)
    test(what, async t => {
      const { file, deliver } = start(t, content)
      await deliver('{"n":2}')
      assert.ok(read(file) === `${kept}{"n":2}\n`)
    })

  test('is looked through from its end, however long it is', async t => {
    const { file, deliver } = start(t)
    // The file is longer than one read can return, and sparse: only its end takes space on the disk.
    const bytes = 2 ** 32
    fs.truncateSync(file, bytes)
    fs.appendFileSync(file, '\n{"n":1}\n{"n":')
    await deliver('{"n":2}')
    assert.equal(statSync(file).size, bytes + '\n{"n":1}\n{"n":2}\n'.length)
  })

  test('is opened again when it was renamed: each line is in one of both', async t => {
    const { directory, file, deliver } = start(t)
    await deliver('{"n":1}')
    renameSync(file, join(directory, 'away'))
    await deliver('{"n":2}')
    renameSync(file, join(directory, 'away too'))
    writeFileSync(file, '{"by":"logrotate"}\n')
    await deliver('{"n":3}')
    assert.deepEqual([join(directory, 'away'), join(directory, 'away too'), file].map(read), [
      '{"n":1}\n',
      '{"n":2}\n',
      '{"by":"logrotate"}\n{"n":3}\n',
    ])
  })

  test('holds lines that were being written while it was removed', async t => {
    const { file, deliver } = start(t)
    await deliver('{"n":1}')
    // The method is that of the prototype that all handles share.
    const handle = await open(file)
    const { appendFile } = handle
    t.after(() => handle.close())
    const append = async function (this: FileHandle, ...given: Parameters<FileHandle['appendFile']>) {
      rmSync(file)
      return appendFile.apply(this, given)
    }
    t.mock.method(Object.getPrototypeOf(handle), 'appendFile', append, { times: 1 })
    await deliver('{"n":2}')
    assert.equal(read(file), '{"n":2}\n')
  })
})
