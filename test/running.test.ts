import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { watchRunning } from './running.ts'

test('the tests that run when the time is over are named, and no suite around them', () => {
  const [events, time] = [new EventEmitter(), new AbortController()]
  const running = watchRunning(events as never, time.signal)
  const tell = (type: 'dequeue' | 'complete', file: string, nesting: number, name: string) =>
    events.emit(`test:${type}`, { file, nesting, name })
  tell('dequeue', 'a.test.ts', 0, 'a suite')
  tell('dequeue', 'a.test.ts', 1, 'ends')
  tell('complete', 'a.test.ts', 1, 'ends')
  tell('dequeue', 'a.test.ts', 1, 'hangs')
  tell('dequeue', 'b.test.ts', 0, 'has ended')
  tell('complete', 'b.test.ts', 0, 'has ended')
  assert.deepEqual(running(), [])
  time.abort()
  tell('complete', 'a.test.ts', 1, 'hangs')
  assert.deepEqual(
    running().map(({ file, name }) => [file, name]),
    [['a.test.ts', 'hangs']],
  )
})
