import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isCancel, isHeartbeat, isJob, isReplies, isReply } from './checks.ts'

const job: readonly unknown[] = ['_INBOX.a.replies', 1, 5000.5, false, 'id', [['cpu', { size: 1 }, null]]]
const heartbeat = { worker: 'w', tasks: 'v', threads: 2, slots: 4, held: 0, cpuMicros: 7 }
const run = { output: 1, agoMs: 3, runMs: 2 }
const line = { level: 'info', message: 'm', fields: {} }

describe('the messages over NATS', () => {
  for (const [name, isMessage, good, bad] of [
    [
      'a job',
      isJob,
      [job, job.with(2, -1), job.with(5, [['cpu', null, '00-1']])],
      [
        ...[5, null, {}, [], job.slice(1), job.with(1, -1), job.with(2, null)],
        ...['a b', 'a\r\nPUB x 0', '*'].map(subject => job.with(0, subject)),
        ...[null, [['cpu']], [[1, 2, null]], Array(100).fill(['cpu', 1, null])].map(calls =>
          job.with(5, calls),
        ),
      ],
    ],
    ['a cancellation', isCancel, [['_INBOX.a', 3]], [[], ['_INBOX.a', '3'], 'x', null]],
    [
      'a heartbeat',
      isHeartbeat,
      [heartbeat],
      [{ ...heartbeat, cpuMicros: null }, { ...heartbeat, slots: -1 }, { ...heartbeat, threads: 1e9 }, []],
    ],
    ['a list of replies', isReplies, [[], [[1, { kind: 'odd' }]]], [{}, null, [1], [['1', {}]], [[1]]]],
  ] as const)
    test(`${name} is taken only in its form`, () => {
      for (const each of good) assert.ok(isMessage(each), JSON.stringify(each))
      for (const each of bad) assert.ok(!isMessage(each), JSON.stringify(each))
    })

  test('a reply is taken only in its form, and with a run for each task', () => {
    const good = [
      { kind: 'done', runs: [run], lines: [line] },
      { kind: 'failed', message: 'no' },
      { kind: 'expired' },
      { kind: 'lost', timedOut: false, why: 'x' },
    ]
    const bad = [
      ...[null, 1, {}, { kind: 'constructor' }, { kind: 'failed' }, { kind: 'lost', why: 1 }],
      ...[undefined, [], [run, run], [{ ...run, runMs: null }]].map(runs => ({ kind: 'done', runs })),
      { kind: 'expired', lines: [{ ...line, level: 'write' }] },
    ]
    for (const each of good) assert.ok(isReply(each, 1), JSON.stringify(each))
    for (const each of bad) assert.ok(!isReply(each, 1), JSON.stringify(each))
  })
})
