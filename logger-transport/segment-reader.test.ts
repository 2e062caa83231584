import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { temporaryDirectory } from '../test/temporary-directory.ts'
import { segmentName } from './protocol.ts'
import { beginning, SegmentReader } from './segment-reader.ts'

const reader = new SegmentReader()
const readLines = reader.readLines.bind(reader)

function directoryWith(t: TestContext, ...segments: string[]): string {
  const directory = temporaryDirectory(t)
  for (const [index, content] of segments.entries())
    writeFileSync(join(directory, segmentName(index + 1)), content)
  return directory
}

describe('the lines of a segment', () => {
  test('are read up to the last whole one, and on from there', async t => {
    const directory = directoryWith(t, 'one\ntwo\nthr')
    const first = await readLines(directory, beginning, false)
    assert.deepEqual(first, { lines: ['one', 'two'], next: { segment: 1, offset: 8 } })
    assert.deepEqual(await readLines(directory, first.next, false), { lines: [], next: first.next })
    appendFileSync(join(directory, segmentName(1)), 'ee\n')
    assert.deepEqual((await readLines(directory, first.next, false)).lines, ['three'])
  })

  test('end with half a line where nothing more can come', async t => {
    const directory = directoryWith(t, 'one\ntw', 'three\n')
    const { next } = await readLines(directory, beginning, true)
    const torn = await readLines(directory, next, true)
    assert.deepEqual(torn, { lines: ['tw'], next: { segment: 2, offset: 0 } })
    assert.deepEqual((await readLines(directory, torn.next, false)).lines, ['three'])
  })

  test('have text: what is blank is passed over, however many lines are asked for', async t => {
    const directory = directoryWith(t, 'one\r\n\r\n \n\uFEFF\n\ntwo\n\r\nthree\n\t')
    const all = await readLines(directory, beginning, true)
    assert.deepEqual(all.lines, ['one\r', 'two', 'three'])
    const first = await readLines(directory, beginning, true, 2, true, 1)
    assert.deepEqual(first.lines, ['one\r'])
    assert.deepEqual((await readLines(directory, first.next, true)).lines, ['two', 'three'])
    const blank = await readLines(directory, all.next, true)
    assert.deepEqual(blank, { lines: [], next: { segment: 2, offset: 0 } })
  })

  for (const bytes of [100, 2 ** 20, 2 ** 20 + 100])
    test(`of ${bytes} bytes are read once they are whole`, async t => {
      const directory = directoryWith(t, 'x'.repeat(bytes))
      assert.deepEqual(await readLines(directory, beginning, false), { lines: [], next: beginning })
      appendFileSync(join(directory, segmentName(1)), '\nafter\n')
      const { lines, next } = await readLines(directory, beginning, false)
      assert.equal(lines[0]?.length, Math.min(bytes, 2 ** 20))
      const others = lines.length > 1 ? lines.slice(1) : (await readLines(directory, next, false)).lines
      assert.deepEqual(others, ['after'])
    })

  test('of more than a chunk come in order and none twice', async t => {
    const expected = Array.from({ length: 100_000 }, (_, number) => `line ${number} é`)
    const directory = directoryWith(t, `${expected.join('\n')}\n`)
    const lines: string[] = []
    for (let from = beginning; ; ) {
      const read = await readLines(directory, from, false)
      if (read.next === from) break
      lines.push(...read.lines)
      from = read.next
    }
    assert.deepEqual(lines, expected)
  })

  test('are not more than memory allows, however short they are', async t => {
    const directory = directoryWith(t, 'x\n'.repeat(20_000))
    const { lines, next } = await readLines(directory, beginning, true)
    assert.deepEqual([lines.length, next], [8192, { segment: 1, offset: 2 * 8192 }])
    assert.equal((await readLines(directory, next, true, 2, true, 10)).lines.length, 10)
  })

  test('of a directory or a pipe in the place of a segment are an error, without waiting', async t => {
    const directory = directoryWith(t)
    mkdirSync(join(directory, segmentName(1)))
    execFileSync('mkfifo', [join(directory, segmentName(2))])
    for (const segment of [1, 2])
      await assert.rejects(readLines(directory, { segment, offset: 0 }, true), /no regular file/)
  })
})
