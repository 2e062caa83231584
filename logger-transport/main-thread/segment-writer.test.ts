import assert from 'node:assert/strict'
import { globSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { temporaryDirectory } from '../../test/temporary-directory.ts'
import { SegmentWriter } from './segment-writer.ts'

const resource = { service: 'app', version: '1', host: 'h', pid: 1, instance: 'a' }

function start(t: TestContext, memoryChars = 12) {
  const directory = temporaryDirectory(t)
  const waiting: (() => void)[] = []
  const [moved, troubles]: [string[], (string | undefined)[]] = [[], []]
  const limits = {
    batchChars: 1,
    flushSoon: (flush: () => void) => void waiting.push(flush),
    memoryChars,
    segmentBytes: 8,
    diskBytes: 64,
  }
  const listener = {
    onTrouble: (reason: string | undefined) => void troubles.push(reason),
    onMoved: (path: string) => void moved.push(path),
  }
  const writer = new SegmentWriter(directory, resource, limits, listener, true)
  t.after(() => writer.close())
  const written = () =>
    globSync(join(directory, '*/*.ndjson'))
      .sort()
      .map(file => readFileSync(file, 'utf8'))
  return { directory, writer, written, waiting, moved, troubles }
}

describe('the writer of a worker thread', () => {
  test('has written each line when it returns, in segments of bounded size', async t => {
    const { directory, writer, written } = start(t)
    for (const line of ['1\n', '2\n', '3\n', 'long line\n', '4\n']) {
      assert.equal(writer.write(line), true)
      assert.ok(written().join('').endsWith(line))
    }
    assert.deepEqual(written(), ['1\n2\n3\n', 'long line\n', '4\n'])
    await writer.close()
    assert.equal(readFileSync(join(directory, 'a/closed'), 'utf8'), '5')
  })

  test('lets lines wait that it cannot write, drops others, and goes on in order', t => {
    const { writer, written, waiting, troubles } = start(t)
    writer.isFull = true
    assert.deepEqual(
      ['1111\n', '2222\n', '3333\n'].map(line => writer.write(line)),
      [true, true, false],
    )
    assert.deepEqual([writer.dropped, written(), troubles], [1, [], ['the disk limit is reached']])
    writer.isFull = false
    for (const flush of waiting) flush()
    assert.equal(written().join(''), '1111\n2222\n')
    assert.equal(writer.write('4444\n'), true)
    assert.equal(written().join(''), '1111\n2222\n4444\n')
    assert.deepEqual([writer.dropped, troubles.at(-1)], [1, undefined])
  })

  test('waits for the transport when its segments have reached their bound', t => {
    const { directory, writer, written, waiting } = start(t)
    for (let line = 0; line < 10; line++) writer.write(`line ${line}\n`)
    assert.deepEqual([written().length, writer.dropped], [9, 0])
    for (const file of globSync(join(directory, 'a/*.ndjson')).slice(0, 2)) rmSync(file)
    for (const flush of waiting) flush()
    assert.equal(written().at(-1), 'line 9\n')
  })

  test('goes on in a new directory when its own was taken away', t => {
    const { directory, writer, written, moved } = start(t)
    writer.write('1\n')
    rmSync(join(directory, 'a'), { recursive: true })
    assert.equal(writer.write('2\n'), true)
    assert.deepEqual([written(), moved], [['2\n'], [join(directory, 'a.2')]])
    const info = JSON.parse(readFileSync(join(directory, 'a.2/writer.json'), 'utf8'))
    assert.deepEqual([info.linesBefore, info.resource], [1, resource])
  })
})
