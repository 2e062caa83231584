import assert from 'node:assert/strict'
import fs, { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { temporaryDirectory } from '../test/temporary-directory.ts'
import { CHECKPOINT_FILE, CheckpointFile } from './checkpoint-file.ts'
import { Metrics } from './metrics.ts'
import { QUARANTINE, WRITER_FILE } from './protocol.ts'
import { isReplaced, Quarantine } from './quarantine.ts'
import { readInfo } from './writer-info.ts'

function open(t: TestContext) {
  const directory = temporaryDirectory(t)
  const said = t.mock.method(process.stderr, 'write', () => true)
  let nowMs = 0
  t.mock.method(performance, 'now', () => nowMs)
  const metrics = new Metrics()
  return {
    directory,
    quarantine: new Quarantine(directory, metrics),
    wait(ms: number) {
      nowMs += ms
    },
    said: () => said.mock.calls.map(call => call.arguments[0]).join(''),
    setAside: () => readdirSync(join(directory, QUARANTINE)),
    count: () => metrics.quarantined,
  }
}

const error = (code: string) => Object.assign(new Error(`${code}: no`), { code })

describe('a file that cannot be read', () => {
  test('is set aside after a second, counted and named', async t => {
    const { directory, quarantine, wait, said, setAside, count } = open(t)
    const file = join(directory, 'bad')
    writeFileSync(file, 'x')
    assert.equal(quarantine.take(file, error('EIO')), false)
    wait(1000)
    assert.equal(quarantine.take(file, error('EIO')), true)
    assert.match(setAside().join(), /bad$/)
    assert.match(said(), /bad cannot be read \(EIO: no\); it is set aside as .*quarantine/)
    assert.equal(count(), 1)
  })

  test('is deleted on a disk that is nearly full, which it would keep full for ever', async t => {
    const { directory, quarantine, said, count } = open(t)
    const room = t.mock.method(fs, 'statfsSync', () => ({ bavail: 24, blocks: 100, bsize: 4096 }))
    syncBuiltinESMExports()
    const file = join(directory, 'bad')
    writeFileSync(file, 'x')
    assert.equal(quarantine.takeNow(file, error('EIO')), true)
    room.mock.restore()
    syncBuiltinESMExports()
    assert.deepEqual([existsSync(file), existsSync(join(directory, QUARANTINE)), count()], [false, false, 1])
    assert.match(said(), /bad cannot be read \(EIO: no\); it is deleted, because the disk is nearly full/)
  })

  test('stays where it is when the trouble is another', t => {
    const { directory, quarantine, wait } = open(t)
    for (const code of ['ENOENT', 'EMFILE']) {
      quarantine.take(join(directory, 'x'), error(code))
      wait(1000)
      assert.equal(quarantine.take(join(directory, 'x'), error(code)), false)
    }
  })

  test('is replaced if it is that of a writer, whose lines are then delivered with its instance', async t => {
    for (const content of ['{', '[]', '{"resource":[]}', ' '.repeat(100_000)]) {
      const { directory, quarantine, wait } = open(t)
      const writer = join(directory, 'a.2.ended')
      mkdirSync(writer)
      writeFileSync(join(writer, WRITER_FILE), content)
      const unreadable = await readInfo(writer).catch(error => error)
      assert.equal(await isReplaced(unreadable, quarantine), false)
      wait(1000)
      assert.equal(await isReplaced(unreadable, quarantine), true)
      const { resource, linesBefore } = await readInfo(writer)
      assert.deepEqual([resource, linesBefore], [{ instance: 'a' }, undefined])
      t.mock.restoreAll()
    }
  })

  test('is forgotten if it is a checkpoint', t => {
    const { directory } = open(t)
    const file = join(directory, CHECKPOINT_FILE)
    const position = (instance: string) => new CheckpointFile(file).of('one').position({ instance, epoch: 1 })
    const texts = ['{', 'null', '{"one":{"delivered":1,"dropped":0,"rejected":0,"positions":{"a":5}}}']
    for (const make of [() => mkdirSync(file), ...texts.map(text => () => writeFileSync(file, text))]) {
      make()
      assert.deepEqual(position('a'), { segment: 1, offset: 0 })
      assert.ok(new CheckpointFile(file).error, 'it is set aside')
      rmSync(file, { recursive: true })
    }
  })
})
