import assert from 'node:assert/strict'
import fs, { mkdirSync, readFileSync, statSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { temporaryDirectory } from '../test/temporary-directory.ts'
import { deadLetterFile } from './dead-letters.ts'
import { follow, leaveWriter, taking } from './follow.fixture.ts'
import { segmentName } from './protocol.ts'
import { fieldsOf, type LogRecord } from './record.ts'
import { type Target, TargetGone } from './targets/contract.ts'

/** Makes the directory of a writer that has written four lines and stopped. */
function leave(t: TestContext): string {
  const logDirectory = temporaryDirectory(t)
  const lines = [1, 2, 3, 4].map(sequence => `{"sequence":${sequence}}\n`)
  leaveWriter(join(logDirectory, 'a'), { resource: { instance: 'a' } }, [lines.join('')], 4)
  return logDirectory
}

const isOdd = (record: LogRecord) => Number(fieldsOf(record).sequence) % 2 === 1

/** Refuses the lines with an odd number for good. */
function choosy() {
  const got: unknown[] = []
  const deliver: Target['deliver'] = async records => {
    got.push(...records.filter(record => !isOdd(record)).map(record => fieldsOf(record).sequence))
    const odd = records.filter(isOdd)
    return [{ count: odd.length, records: odd, why: 'they are odd' }]
  }
  return { name: 'choosy', got, deliver, close: async () => {} }
}

const greedy = taking('greedy')

test('lines that a target refuses for good are kept in its dead-letter file, and others are not held up', async t => {
  const said = t.mock.method(process.stderr, 'write', () => true)
  const logDirectory = leave(t)
  const target = choosy()
  const counts = await follow(logDirectory, [target, greedy]).end()
  assert.deepEqual(target.got, [2, 4])
  assert.deepEqual(counts, { delivered: 2, dropped: 0, rejected: 2 })
  const file = deadLetterFile(logDirectory, 'choosy')
  assert.equal(readFileSync(file, 'utf8'), '{"sequence":1,"instance":"a"}\n{"sequence":3,"instance":"a"}\n')
  assert.deepEqual(
    said.mock.calls.map(({ arguments: [line] }) => line),
    [`logger-transport: choosy refused 2 lines for good: they are odd; they are kept in ${file}\n`],
  )
  assert.deepEqual(
    await follow(logDirectory, [choosy(), greedy]).end(),
    counts,
    'a later transport knows the counts',
  )
})

/** Lets the disk be nearly full. */
function fillDisk(t: TestContext): void {
  const room = t.mock.method(fs, 'statfsSync', () => ({ bavail: 24, blocks: 100, bsize: 4096 }))
  syncBuiltinESMExports()
  t.after(() => {
    room.mock.restore()
    syncBuiltinESMExports()
  })
}

for (const [what, prepare, why] of [
  ['cannot be written', (_: TestContext, file: string) => mkdirSync(file), /because .* fails: EISDIR/],
  ['would fill a disk on which others wait', fillDisk, /because the disk of .* is nearly full/],
] as const)
  test(`lines whose dead-letter file ${what} are counted as rejected all the same`, async t => {
    const said = t.mock.method(process.stderr, 'write', () => true)
    const logDirectory = leave(t)
    const file = deadLetterFile(logDirectory, 'choosy')
    prepare(t, file)
    assert.deepEqual(await follow(logDirectory, [choosy()]).end(), { delivered: 2, dropped: 0, rejected: 2 })
    assert.ok(!statSync(file, { throwIfNoEntry: false })?.isFile())
    assert.match(String(said.mock.calls[0]?.arguments[0]), why)
  })

test('segments are not followed any more once no target is left, and their lines stay', async t => {
  const { exitCode } = process
  t.after(() => {
    process.exitCode = exitCode
  })
  const said = t.mock.method(process.stderr, 'write', () => true)
  const logDirectory = leave(t)
  const deliver = () => Promise.reject(new TargetGone('write EPIPE'))
  await follow(logDirectory, [{ name: 'stdout', deliver, close: async () => {} }]).followed
  assert.equal(process.exitCode, 1)
  assert.equal(readFileSync(join(logDirectory, 'a', segmentName(1)), 'utf8').split('\n').length, 5)
  const text = said.mock.calls.map(({ arguments: [line] }) => String(line)).join('')
  assert.match(text, /stdout is given up, because it is gone: write EPIPE\n.*60 bytes of them stay/s)
})
