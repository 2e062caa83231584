import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { temporaryDirectory } from '../test/temporary-directory.ts'
import { openSegments } from './main-thread/open-segments.ts'
import { segmentNumber } from './protocol.ts'

const LINES = 120_000
const LINE = `${'x'.repeat(99)}\n`
const resource = { service: 'app', version: '1', host: 'h', pid: 1, instance: 'a' }

test('lines that waited in memory find room, also when they take more than the disk bound', async t => {
  const directory = temporaryDirectory(t)
  const room = { logMemoryMib: 16, logDiskMib: 8 }
  const segments = openSegments({ ...room, logDir: directory, resource, report: () => {} })
  segments.pretendFull(true)
  for (let line = 0; line < LINES; line++) segments.write(LINE)
  segments.pretendFull(false)
  let taken = 0
  while (taken < LINES) {
    const files = segmentFiles(directory)
    // Complete segments are removed, as the transport does. A single segment is the last one and may still grow.
    for (const file of files.slice(0, files.length > 1 ? -1 : 0)) {
      taken += readFileSync(file).length / LINE.length
      rmSync(file)
    }
    const [last] = segmentFiles(directory)
    if (last && taken + readFileSync(last).length / LINE.length === LINES) break
    await delay(5, undefined, { signal: t.signal })
  }
  await segments.close()
  assert.equal(segments.dropped(), 0)
})

const segmentFiles = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(({ name }) => segmentNumber(name) !== undefined)
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
