import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startedBy } from './longest-turns.ts'

const server = 'file:///srv/server.js'

/** The beginnings of stacks that V8's profiler has seen in Node.js 26, as `function url`. */
const seen: Readonly<Record<string, readonly string[]>> = {
  'a timer': ['processTimers node:internal/timers', 'listOnTimeout node:internal/timers', `tick ${server}`],
  setImmediate: ['processImmediate node:internal/timers', `run ${server}`],
  'a promise': [
    'processTimers node:internal/timers',
    'runNextTicks node:internal/process/task_queues',
    'runMicrotasks ',
    `afterAwait ${server}`,
  ],
  'process.nextTick': ['processTicksAndRejections node:internal/process/task_queues', `run ${server}`],
  'the end or rest of a stream': [
    'processTicksAndRejections node:internal/process/task_queues',
    'endReadableNT node:internal/streams/readable',
    'emit node:events',
    `onEnd ${server}`,
  ],
  'data of a socket or pipe': [
    'onStreamRead node:internal/stream_base_commons',
    'Readable.push node:internal/streams/readable',
    'emit node:events',
    `onData ${server}`,
  ],
  'a connection': ['onconnection node:net', 'emit node:events', `accept ${server}`],
  'a message of a thread': [
    ' node:internal/per_context/messageport',
    ' node:internal/event_target',
    ' node:internal/worker',
    'emit node:events',
    `onMessage ${server}`,
  ],
  'a child process': [
    ' node:net',
    'maybeClose node:internal/child_process',
    'exithandler node:child_process',
    `onExit ${server}`,
  ],
  'work of the thread pool': ['readFileAfterOneShot node:fs', `onRead ${server}`],
  'an HTTP request': [
    'parserOnHeadersComplete node:_http_common',
    'parserOnIncoming node:_http_server',
    'emit node:events',
    `handle ${server}`,
  ],
  'the answer to an HTTP call': [
    'onStreamRead node:internal/stream_base_commons',
    'socketOnData node:_http_client',
    'execute ',
    'parserOnHeadersComplete node:_http_common',
    'parserOnIncomingClient node:_http_client',
    `onAnswer ${server}`,
  ],
  'garbage collection': ['(garbage collector) '],
  'Node.js': ['emit node:events', `onSignal ${server}`],
}

const stackOf = (frames: readonly string[]) =>
  frames.map(frame => {
    const [, functionName = '', url = ''] = /^(.*) (\S*)$/.exec(frame) ?? []
    return { functionName, url, scriptId: '1', lineNumber: 0, columnNumber: 0 }
  })

for (const [what, frames] of Object.entries(seen))
  test(`a turn that ${what} has begun is told as such`, () => {
    assert.equal(startedBy(stackOf(frames)), what)
  })

test('a turn that begins in the service is that of a promise, whatever it calls', () => {
  assert.equal(startedBy(stackOf([`afterRead ${server}`, 'setTimeout node:timers'])), 'a promise')
  const inHandler = [
    'parserOnIncoming node:_http_server',
    `handle ${server}`,
    'require node:internal/modules/helpers',
  ]
  assert.equal(startedBy(stackOf(inHandler)), 'an HTTP request')
})
