import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { resource } from '../../context.ts'
import { writeUntilBroken } from './pino-sink.ts'

test('a fatal line does not wait until the destination is flushed', () => {
  const lines: string[] = []
  let flushes = 0
  const destination = Object.assign(new EventEmitter(), {
    write: (line: string) => lines.push(line),
    flushSync: () => flushes++,
  })
  const sink = writeUntilBroken(destination as never, { resource, lineText: () => ',"sequence":1' })
  sink.write('fatal', 'the end', {})
  assert.equal(flushes, 0, 'a flush blocks while a pipe is full')
  const { time, ...line } = JSON.parse(lines.join(''))
  assert.ok(time > 0)
  assert.deepEqual(line, { ...resource, level: 'fatal', sequence: 1, message: 'the end' })
})
