import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSIDE_URL } from '../watching/inside.ts'
import { findLongestTurns, startedBy } from './longest-turns.ts'

const node = (id: number, functionName: string, children: number[] = [], url = '/srv/app/server.js') => ({
  id,
  callFrame: {
    functionName,
    url: functionName.startsWith('(') ? '' : url,
    scriptId: '1',
    lineNumber: 9,
    columnNumber: 0,
  },
  children,
})
const nodes = [
  node(1, '(root)', [2, 3, 4, 7, 8, 14]),
  node(2, '(idle)'),
  node(3, '(garbage collector)'),
  node(4, 'onRequest', [5, 6], 'node:_http_server'),
  node(5, 'handle'),
  node(6, 'render'),
  node(7, 'onTimer'),
  node(8, 'processTimers', [9, 12], 'node:internal/timers'),
  node(9, 'burn', [10], INSIDE_URL),
  node(10, 'control', [11], INSIDE_URL),
  node(11, 'now', [], 'node:internal/perf/performance'),
  node(12, 'refresh', [13]),
  node(13, 'stringify', [], INSIDE_URL),
  node(14, 'onMessage', [15]),
  node(15, 'consoleCall', [16], ''),
  node(16, 'format', [], 'node:internal/util/inspect'),
]

/** The longest turns of a profile of `[node, milliseconds]`. */
const find = (seen: readonly (readonly [number, number])[]) =>
  findLongestTurns(
    {
      nodes,
      samples: seen.map(([id]) => id),
      timeDeltas: [0, ...seen.slice(0, -1).map(([, ms]) => ms * 1000)],
      startTime: 0,
      endTime: seen.reduce((sum, [, ms]) => sum + ms * 1000, 0),
    },
    ({ functionName, url, lineNumber }) =>
      `${functionName} ${url.split('/').slice(-2).join('/')}:${lineNumber + 1}`,
  )

/** Samples of a profile, the turns that must be found in them, and the reason. */
const cases: readonly (readonly [why: string, seen: [number, number][], turns: ReturnType<typeof find>])[] = [
  [
    'a turn lasts through garbage collection, until the loop waits or another function is entered',
    // biome-ignore format: a line for each turn
    [
      [5, 8], [2, 100],
      [5, 3], [6, 5], [3, 2], [5, 1],
      [7, 9],
    ],
    [
      { durationMs: 11, startedBy: 'an HTTP request', stack: ['render app/server.js:10'] },
      { durationMs: 9, startedBy: 'a promise', stack: ['onTimer app/server.js:10'] },
      { durationMs: 8, startedBy: 'an HTTP request', stack: ['handle app/server.js:10'] },
    ],
  ],
  [
    'the control is no part of a turn, but JSON is',
    // biome-ignore format: a line for each turn
    [
      [10, 20], [11, 5], [2, 1],
      [13, 3], [11, 2], [13, 1], [2, 1],
    ],
    [{ durationMs: 4, startedBy: 'a timer', stack: ['JSON.stringify', 'refresh app/server.js:10'] }],
  ],
  [
    'a turn has the time of console, which an open inspector calls in its own way',
    [[16, 7]],
    [
      {
        durationMs: 7,
        startedBy: 'a promise',
        stack: ['format util/inspect:10', 'onMessage app/server.js:10'],
      },
    ],
  ],
]
for (const [why, seen, turns] of cases) test(why, () => assert.deepEqual(find(seen), turns))

test('there are ten turns at most, the longest first', () => {
  const turns = Array.from({ length: 12 }, (_, index) => [[5, index + 1] as const, [2, 1] as const]).flat()
  assert.deepEqual(
    find(turns).map(({ durationMs }) => durationMs),
    [12, 11, 10, 9, 8, 7, 6, 5, 4, 3],
  )
})

const server = 'file:///srv/server.js'
const timers = 'node:internal/timers'
const queues = 'node:internal/process/task_queues'
const incoming = `parserOnIncoming node:_http_server < parserOnHeadersComplete node:_http_common`

/** Stacks that V8's profiler has seen in Node.js 26, as `function url`, the outermost function last. */
const stacks: readonly (readonly [what: string, stack: string])[] = [
  ['setImmediate', `run ${server} < processImmediate ${timers}`],
  ['a promise', `go ${server} < runMicrotasks  < runNextTicks ${queues} < processTimers ${timers}`],
  ['process.nextTick', `run ${server} < processTicksAndRejections ${queues}`],
  [
    'the end or rest of a stream',
    `end ${server} < endReadableNT node:internal/streams/readable < processTicksAndRejections ${queues}`,
  ],
  ['a connection', `accept ${server} < emit node:events < onconnection node:net`],
  ['a message of a thread', `hear ${server} <  node:internal/per_context/messageport`],
  ['a child process', `onExit ${server} < exithandler node:child_process <  node:net`],
  ['work of the thread pool', `onRead ${server} < readFileAfterOneShot node:fs`],
  ['an HTTP request', `handle ${server} < emit node:events < ${incoming}`],
  ['an HTTP request', `require node:internal/modules/helpers < handle ${server} < ${incoming}`],
  [
    'the answer to an HTTP call',
    `hear ${server} < parserOnIncomingClient node:_http_client < onStreamRead node:internal/stream_base_commons`,
  ],
  ['garbage collection', '(garbage collector) '],
  ['Node.js', `onSignal ${server} < emit node:events`],
  ['a promise', `setTimeout node:timers < afterRead ${server}`],
]

test('what began a turn is told by the functions of Node.js that its stack begins with', () => {
  for (const [what, stack] of stacks) {
    const frames = stack.split(' < ').map(frame => {
      const [, functionName = '', url = ''] = /^(.*) (\S*)$/.exec(frame) ?? []
      return { functionName, url, scriptId: '1', lineNumber: 0, columnNumber: 0 }
    })
    assert.equal(startedBy(frames.reverse()), what, stack)
  }
})
