import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { enrich } from '../record.ts'
import { AppendedFile } from './appended-file.ts'
import { createFileTarget } from './file.ts'

const UNBOUNDED = Number.POSITIVE_INFINITY

function start(t: TestContext, content = '') {
  const directory = mkdtempSync(join(tmpdir(), 'target-'))
  const file = join(directory, 'app.log')
  writeFileSync(file, content)
  const target = createFileTarget({ file, maxBytes: UNBOUNDED, kept: 1 })
  t.after(async () => {
    await target.close()
    rmSync(directory, { recursive: true })
  })
  return { directory, file, deliver: (line: string) => target.deliver([enrich(line, {})]) }
}

const read = (file: string) => readFileSync(file, 'utf8')

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
    truncateSync(file, bytes)
    const handle = openSync(file, 'r+')
    writeSync(handle, '\n{"n":1}\n{"n":', bytes)
    closeSync(handle)
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

  test('is made again when it was removed, with its directory as well', async t => {
    const { directory, file, deliver } = start(t)
    await deliver('{"n":1}')
    rmSync(directory, { recursive: true })
    await deliver('{"n":2}')
    assert.equal(read(file), '{"n":2}\n')
  })

  test('holds lines that were being written while it was removed', async t => {
    const { file } = start(t)
    const log = new AppendedFile(file)
    t.after(() => log.close())
    await log.append(Buffer.from('{"n":1}\n'))
    const write = removeAtNextWrite(t, await open(file), file)
    await log.append(Buffer.from('{"n":2}\n'))
    assert.equal(write.mock.callCount(), 1)
    assert.equal(read(file), '{"n":2}\n')
  })
})

/**
 * Removes the file at the next write of any handle.
 * @param handle any handle; the method is replaced on the prototype that all handles share
 */
function removeAtNextWrite(t: TestContext, handle: FileHandle, file: string) {
  const { appendFile } = handle
  t.after(() => handle.close())
  return t.mock.method(
    Object.getPrototypeOf(handle),
    'appendFile',
    function (this: FileHandle, ...given: Parameters<FileHandle['appendFile']>) {
      rmSync(file, { force: true })
      return appendFile.apply(this, given)
    },
    { times: 1 },
  )
}
