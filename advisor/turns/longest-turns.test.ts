import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSIDE_URL } from '../watching/inside.ts'
import { findLongestTurns } from './longest-turns.ts'

const describePlace = ({
  functionName,
  url,
  lineNumber,
}: {
  functionName: string
  url: string
  lineNumber: number
}) => `${functionName} ${url.split('/').slice(-2).join('/')}:${lineNumber + 1}`
const find = (profile: ReturnType<typeof profileOf>) => findLongestTurns(profile, describePlace)

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

/** A profile of `[node, milliseconds]`. */
const profileOf = (seen: readonly (readonly [number, number])[]) => ({
  nodes,
  samples: seen.map(([id]) => id),
  timeDeltas: [0, ...seen.slice(0, -1).map(([, ms]) => ms * 1000)],
  startTime: 0,
  endTime: seen.reduce((sum, [, ms]) => sum + ms * 1000, 0),
})

test('a turn lasts through garbage collection, until the loop waits or another function is entered', () => {
  const turns = find(
    profileOf([
      [5, 8],
      [2, 100],
      [5, 3],
      [6, 5],
      [3, 2],
      [5, 1],
      [7, 9],
    ]),
  )
  assert.deepEqual(turns, [
    { durationMs: 11, startedBy: 'an HTTP request', stack: ['render app/server.js:10'] },
    { durationMs: 9, startedBy: 'a promise', stack: ['onTimer app/server.js:10'] },
    { durationMs: 8, startedBy: 'an HTTP request', stack: ['handle app/server.js:10'] },
  ])
})

test('a thread that only waits has no turn', () => {
  assert.deepEqual(find(profileOf([[2, 100]])), [])
})

test('the control is no part of a turn, but JSON is', () => {
  const [turn] = find(
    profileOf([
      [10, 20],
      [11, 5],
      [2, 1],
      [13, 3],
      [11, 2],
      [13, 1],
      [2, 1],
    ]),
  )
  assert.deepEqual(turn, {
    durationMs: 4,
    startedBy: 'a timer',
    stack: ['JSON.stringify', 'refresh app/server.js:10'],
  })
  assert.deepEqual(find(profileOf([[10, 20]])), [])
})

test('a turn has the time of console, which an open inspector calls in its own way', () => {
  assert.deepEqual(find(profileOf([[16, 7]])), [
    {
      durationMs: 7,
      startedBy: 'a promise',
      stack: ['format util/inspect:10', 'onMessage app/server.js:10'],
    },
  ])
})

test('there are ten turns at most, the longest first', () => {
  const turns = Array.from({ length: 12 }, (_, index) => [[5, index + 1] as const, [2, 1] as const]).flat()
  assert.deepEqual(
    find(profileOf(turns)).map(({ durationMs }) => durationMs),
    [12, 11, 10, 9, 8, 7, 6, 5, 4, 3],
  )
})
