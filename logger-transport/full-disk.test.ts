import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import fs, { globSync, readFileSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { until } from '../test/faults/fault.ts'
import { temporaryDirectory } from '../test/temporary-directory.ts'
import { follow, taking } from './follow.fixture.ts'
import { openSegments } from './main-thread/open-segments.ts'
import { SegmentWriter } from './main-thread/segment-writer.ts'

const resource = { service: 'app', version: '1', host: 'h', pid: 1, instance: 'a' }
const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
/** Much smaller than a segment of 512 KiB, which a writer with a bound of 8 MiB has. */
const DISK_BYTES = 100_000

const segmentsIn = (directory: string) => globSync(join(directory, '*/*.ndjson')).sort()
const bytesIn = (directory: string) =>
  segmentsIn(directory).reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0)

/** Lets all segments together take `bytes()` of a disk. */
async function limitDisk(t: TestContext, bytes = () => DISK_BYTES) {
  const directory = temporaryDirectory(t)
  const handle = await open(directory)
  const prototype = Object.getPrototypeOf(handle)
  await handle.close()
  /** @returns how many of these bytes fit. @throws if none do */
  const fit = (length: number) => {
    const room = Math.min(length, bytes() - bytesIn(directory))
    if (room <= 0) throw full
    return room
  }
  const { write } = prototype
  t.mock.method(prototype, 'write', async function (this: unknown, lines: Buffer, from: number) {
    return write.call(this, lines, from, fit(lines.length - from))
  })
  const { writeSync } = fs
  t.mock.method(fs, 'writeSync', ((file: number, lines: Buffer, from: number) =>
    writeSync(file, lines, from, fit(lines.length - from))) as typeof fs.writeSync)
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
  return directory
}

function openIn(directory: string, report: (text: string) => void = () => {}) {
  const options = { logDir: directory, logMemoryMib: 16, logDiskMib: 8, resource }
  return openSegments({ ...options, report: (_level, text) => report(text) })
}

const lineOf = (sequence: number) => `${JSON.stringify({ sequence, text: 'x'.repeat(1000) })}\n`
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

describe('a disk that is smaller than a segment', () => {
  test('is freed by the transport as often as it is full, and every line is delivered once', async t => {
    const LINES = 1000
    const directory = await limitDisk(t)
    const target = taking()
    const { end } = follow(directory, [target])
    t.mock.method(process.stderr, 'write', () => true)
    const segments = openIn(directory)
    for (let sequence = 1; sequence <= LINES; sequence++) segments.write(lineOf(sequence))
    await until(() => target.got.length >= LINES)
    await segments.close()
    assert.equal(segments.dropped(), 0)
    assert.deepEqual(await end(), { delivered: LINES, dropped: 0, rejected: 0 })
    assert.deepEqual(target.got, upTo(LINES))
    assert.deepEqual(segmentsIn(directory), [])
  })

  test('and takes a part until the end: what is lost is counted and said, and no line is torn', async t => {
    let room: number = DISK_BYTES
    const directory = await limitDisk(t, () => room)
    const segments = openIn(directory)
    room = 10.5 * lineOf(10).length
    const said = t.mock.method(process.stderr, 'write', () => true)
    for (let sequence = 10; sequence < 30; sequence++) segments.write(lineOf(sequence))
    await segments.close()
    assert.equal(segments.dropped(), 10)
    assert.equal(said.mock.calls.at(-1)?.arguments[0], 'logger-transport: 10 log lines are lost: ENOSPC\n')
    const written = segmentsIn(directory).map(file => readFileSync(file, 'utf8'))
    assert.equal(written.join(''), upTo(19).slice(9).map(lineOf).join(''))
  })
})

test('segments that have reached their bound wait for the transport, and lines wait in memory, up to a bound of it', async t => {
  const directory = temporaryDirectory(t)
  const waiting: (() => void)[] = []
  const flushSoon = (flush: () => void) => void waiting.push(flush)
  const limits = { batchChars: 1, flushSoon, memoryChars: 12, segmentBytes: 8, diskBytes: 64 }
  const troubles: (string | undefined)[] = []
  const listener = { onTrouble: (reason?: string) => void troubles.push(reason), onMoved: () => {} }
  const writer = new SegmentWriter(directory, resource, limits, listener, true)
  t.after(() => writer.close())
  const taken = Array.from({ length: 11 }, (_, line) => writer.write(`line ${line % 10}\n`))
  assert.deepEqual(taken, [...Array(10).fill(true), false])
  assert.deepEqual(
    [segmentsIn(directory).length, writer.dropped, troubles.at(-1)],
    [9, 1, 'the disk limit is reached'],
  )
  for (const file of segmentsIn(directory).slice(0, 2)) rmSync(file)
  for (const flush of waiting.splice(0)) flush()
  assert.equal(readFileSync(segmentsIn(directory).at(-1) as string, 'utf8'), 'line 9\n')
  assert.equal(troubles.at(-1), undefined)
})

test('an end does not wait for a file system that hangs, and counts the lines in it', async t => {
  const directory = await limitDisk(t, () => Number.POSITIVE_INFINITY)
  const handle = await open(directory)
  t.mock.method(Object.getPrototypeOf(handle), 'write', () => new Promise(() => {}))
  await handle.close()
  const said = t.mock.method(process.stderr, 'write', () => true)
  const segments = openIn(directory)
  for (const sequence of [1, 2]) segments.write(lineOf(sequence))
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const [closed, again] = [segments.close(), segments.close()]
  t.mock.timers.tick(5000)
  await Promise.all([closed, again])
  assert.equal(segments.dropped(), 2)
  assert.equal(
    said.mock.calls.at(-1)?.arguments[0],
    'logger-transport: 2 log lines are lost: the file system took too long\n',
  )
})

test('what is reported about lines of 200 users is said in the context of none', async t => {
  const user = new AsyncLocalStorage<number>()
  let isFull = false
  const directory = await limitDisk(t, () => (isFull ? 0 : Number.POSITIVE_INFINITY))
  t.mock.method(process.stderr, 'write', () => true)
  const reported: (readonly [text: string, user: number | undefined])[] = []
  const options = { logDir: directory, logMemoryMib: 1, logDiskMib: 8, resource }
  const segments = openSegments({
    ...options,
    report: (_level, text) => void reported.push([text, user.getStore()]),
  })
  isFull = true
  const line = lineOf(1)
  for (let each = 0; each < 200; each++)
    user.run(each, () => {
      for (let count = 0; count < 10; count++) segments.write(line)
    })
  isFull = false
  await until(() => reported.length > 0)
  await segments.close()
  assert.deepEqual(reported, [['log lines were dropped', undefined]])
})
