import assert from 'node:assert/strict'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { until } from '../test/faults/fault.ts'
import { temporaryDirectory } from '../test/temporary-directory.ts'
import { followSegments } from './follow.ts'
import { segmentLimits } from './main-thread/segment-limits.ts'
import { SegmentWriter } from './main-thread/segment-writer.ts'
import { Metrics } from './metrics.ts'
import { fieldsOf } from './record.ts'
import type { Target } from './targets/contract.ts'

const resource = { service: 'app', version: '1', host: 'h', pid: 1, instance: 'a' }
/**
 * The path of a socket has at most 107 bytes. In this directory the transport cannot ask the writer and judges by
 * silence.
 */
const DEEP = 'x'.repeat(108)
const LONG_MS = 3_600_000

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

/** Follows the segments until the returned `end` is called, which returns the counts. `delivered` grows meanwhile. */
function follow(logDirectory: string, silentAfterMs: number) {
  const delivered: unknown[] = []
  const deliver: Target['deliver'] = async records => {
    delivered.push(...records.map(record => fieldsOf(record).sequence))
    return []
  }
  const targets = [{ name: 'one', deliver, close: async () => {} }]
  const [metrics, finish] = [new Metrics(), new AbortController()]
  const options = { logDirectory, targets, metrics, silentAfterMs, finish: finish.signal }
  const followed = followSegments(options)
  return {
    delivered,
    async end() {
      finish.abort()
      await followed
      return metrics.countLines()
    },
  }
}

describe('a writer that does not find its directory any more', () => {
  test('goes on in a new one when a transport took it for dead, and no line is lost or delivered twice', async t => {
    const { logDirectory, writer, moved } = openWriter(t)
    writer.write(line(1))
    const { delivered, end } = follow(logDirectory, 0)
    await until(() => !existsSync(join(logDirectory, resource.instance)))
    writer.write(line(2))
    await moved
    await writer.close()
    await until(() => delivered.length === 2)
    assert.deepEqual(await end(), { delivered: 2, dropped: 0, rejected: 0 })
    assert.deepEqual(delivered, [1, 2])
  })

  test('has the lines counted that someone removed before they were read', async t => {
    const { logDirectory, writer, moved } = openWriter(t)
    const before = follow(logDirectory, LONG_MS)
    writer.write(line(1))
    await until(() => before.delivered.length === 1)
    await before.end()
    writer.write(line(2))
    await until(() => writer.linesWritten === 2)
    rmSync(join(logDirectory, resource.instance), { recursive: true })
    writer.write(line(3))
    await moved
    await writer.close()
    const { delivered, end } = follow(logDirectory, LONG_MS)
    await until(() => delivered.length === 1)
    assert.deepEqual(await end(), { delivered: 2, dropped: 1, rejected: 0 })
    assert.deepEqual(delivered, [3])
  })
})
