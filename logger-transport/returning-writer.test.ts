import assert from 'node:assert/strict'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { until } from '../test/faults/fault.ts'
import { temporaryDirectory } from '../test/temporary-directory.ts'
import { follow, taking } from './follow.fixture.ts'
import { segmentLimits } from './main-thread/segment-limits.ts'
import { SegmentWriter } from './main-thread/segment-writer.ts'

const resource = { service: 'app', version: '1', host: 'h', pid: 1, instance: 'a' }
/**
 * The path of a socket has at most 107 bytes. In this directory the transport cannot ask the writer and judges by
 * silence.
 */
const DEEP = 'x'.repeat(108)

function openWriter(t: TestContext) {
  const root = temporaryDirectory(t)
  const logDirectory = join(root, DEEP)
  const moved = Promise.withResolvers<string>()
  const limits = {
    ...segmentLimits(2 ** 20, 2 ** 24),
    flushSoon: (flush: () => void) => void setTimeout(flush),
  }
  const writer = new SegmentWriter(logDirectory, resource, limits, { onTrouble() {}, onMoved: moved.resolve })
  return { logDirectory, writer, moved: moved.promise }
}

const line = (sequence: number) => `{"sequence":${sequence}}\n`

describe('a writer that does not find its directory any more', () => {
  test('goes on in a new one when a transport took it for dead, and no line is lost or delivered twice', async t => {
    const { logDirectory, writer, moved } = openWriter(t)
    writer.write(line(1))
    const target = taking()
    const { end } = follow(logDirectory, [target], 0)
    await until(() => !existsSync(join(logDirectory, resource.instance)))
    writer.write(line(2))
    await moved
    await writer.close()
    await until(() => target.got.length === 2)
    assert.deepEqual(await end(), { delivered: 2, dropped: 0, rejected: 0 })
    assert.deepEqual(target.got, [1, 2])
  })

  test('has the lines counted that someone removed before they were read', async t => {
    const { logDirectory, writer, moved } = openWriter(t)
    const first = taking()
    const before = follow(logDirectory, [first])
    writer.write(line(1))
    await until(() => first.got.length === 1)
    await before.end()
    writer.write(line(2))
    await until(() => writer.linesWritten === 2)
    rmSync(join(logDirectory, resource.instance), { recursive: true })
    writer.write(line(3))
    await moved
    await writer.close()
    const second = taking()
    const { end } = follow(logDirectory, [second])
    await until(() => second.got.length === 1)
    assert.deepEqual(await end(), { delivered: 2, dropped: 1, rejected: 0 })
    assert.deepEqual(second.got, [3])
  })
})
