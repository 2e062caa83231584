import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Measurement } from '../generator/protocol.ts'
import { REFUSED_WAIT } from '../statistics/thresholds.ts'
import type { Ledger } from './ledger.ts'
import type { MachineUse } from './machine.ts'
import { selectRow } from './rows.ts'
import { type Evidence, judgeSample } from './validity.ts'

const counts = { emitted: 5, delivered: 5, dropped: 0, rejected: 0 }
const ledger: Ledger = { logLines: counts, spans: counts, metricPoints: counts }
const measurement = {
  responses: 10,
  errors: 0,
  wrongBodies: 0,
  generatorUtilization: 0.3,
  latenessMs: null,
} as Measurement
const calm: MachineUse = { stealShare: 0.01, othersShare: 0.02, ownShare: 0.6, waitRatio: 0.3 }
/** Neighbours with half of the CPU time in use are answerable for half of the waiting. */
const waiting = (waitRatio: number | null) => ({
  machine: { stealShare: 0, othersShare: 0.4, ownShare: 0.4, waitRatio },
})
const inOrder: Evidence = {
  row: selectRow('framework', {}),
  measurements: [measurement],
  machine: calm,
  ledger,
  restarted: undefined,
}
const measured = (...changes: Partial<Measurement>[]) => ({
  measurements: changes.map(change => ({ ...measurement, ...change })),
})
const late = { p50: 1, p90: 2, p99: 12.34, max: 50 }
const dropped = { ...ledger, logLines: { ...counts, delivered: 4, dropped: 1 } }
const rejected = { ...ledger, logLines: { ...counts, delivered: 3, rejected: 2 } }

const overloaded = selectRow('framework', { overload: ['none'] })

describe('a sample', () => {
  const cases: readonly [Partial<Evidence>, string | null][] = [
    [{}, null],
    [{ machine: null }, null],
    [measured({ latenessMs: { ...late, p99: 2 } }), null],
    [{ restarted: 'apm-agent' }, 'apm-agent was restarted'],
    [measured({ errors: 2 }), '2 errors'],
    [{ row: overloaded, ...measured({ errors: 2 }) }, null],
    [{ row: overloaded, ...measured({ errors: 2, wrongBodies: 1 }) }, '1 wrong bodies'],
    [measured({}, { wrongBodies: 1 }), '1 wrong bodies'],
    [measured({ responses: 0 }), 'no good response in the window'],
    [measured({ generatorUtilization: 0.97 }), null],
    [measured({ generatorUtilization: 0.995 }), 'the load generator was saturated: 100 % busy'],
    [
      measured({ generatorUtilization: 0.97, latenessMs: { ...late, p99: 2 } }),
      'the load generator was saturated: 97 % busy',
    ],
    [measured({ latenessMs: late }), 'the load generator was late: 1 of 100 requests by 12.3 ms'],
    [
      waiting(2 * REFUSED_WAIT + 1),
      'other programs made the main thread wait 4.50 ms for each ms that it ran',
    ],
    [
      { machine: { stealShare: 0.9, othersShare: 0, ownShare: 0.1, waitRatio: 9 } },
      'the host of this virtual machine made the main thread wait 9.00 ms for each ms that it ran',
    ],
    [waiting(null), null],
    [
      { ledger: { ...ledger, spans: { ...counts, delivered: 4 } } },
      'the ledger of spans is open: 5 emitted, 4 delivered, 0 dropped, 0 rejected',
    ],
    [{ ledger: dropped }, 'not all logLines were delivered: 5 emitted, 4 delivered, 1 dropped, 0 rejected'],
    [{ ledger: rejected }, 'not all logLines were delivered: 5 emitted, 3 delivered, 0 dropped, 2 rejected'],
    [{ ledger: dropped, row: selectRow('framework', { logging: ['none'] }) }, null],
  ]
  for (const [change, reason] of cases) {
    test(reason ? `is refused: ${reason}` : `counts with ${JSON.stringify(change)}`, () => {
      assert.equal(judgeSample({ ...inOrder, ...change }).reason, reason)
    })
  }
})

describe('a sample of a busy machine', () => {
  const noise = (ms: string) => `other programs made the main thread wait ${ms} ms for each ms that it ran`

  test('counts and is noisy while the main thread mostly got its core', () => {
    assert.deepEqual(judgeSample({ ...inOrder, ...waiting(2) }), { reason: null, noise: noise('1.00') })
    assert.deepEqual(judgeSample(inOrder), { reason: null, noise: null })
  })

  test('is not noisy when the main thread waited for its own workers', () => {
    const machine = { ...calm, waitRatio: 4 }
    assert.deepEqual(judgeSample({ ...inOrder, machine }), { reason: null, noise: null })
  })

  test('counts with any noise when noise is accepted, with errors and a late generator too', () => {
    const busy = { ...inOrder, ...waiting(20) }
    assert.deepEqual(judgeSample(busy), { reason: noise('10.00'), noise: noise('10.00') })
    assert.deepEqual(judgeSample(busy, true), { reason: null, noise: noise('10.00') })
    const failed = { ...busy, ...measured({ errors: 2 }, { errors: 1 }) }
    assert.deepEqual(judgeSample(failed), { reason: '3 errors', noise: noise('10.00') })
    assert.deepEqual(judgeSample(failed, true), { reason: null, noise: `3 errors; ${noise('10.00')}` })
    const slow = { ...inOrder, ...measured({ latenessMs: late, wrongBodies: 1 }) }
    const noisy = 'the load generator was late: 1 of 100 requests by 12.3 ms'
    assert.deepEqual(judgeSample(slow, true), { reason: '1 wrong bodies', noise: noisy })
  })

  test('is refused all the same when it is wrong, or when it failed although nothing disturbed it', () => {
    for (const change of [measured({ errors: 2 }), measured({ wrongBodies: 1 }), { ledger: dropped }])
      assert.notEqual(judgeSample({ ...inOrder, ...change }, true).reason, null)
    const wrong = { ...inOrder, ...waiting(20), ...measured({ wrongBodies: 1 }) }
    assert.equal(judgeSample(wrong, true).reason, '1 wrong bodies')
  })
})
