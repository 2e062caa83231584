import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Measurement } from '../generator/protocol.ts'
import type { Ledger } from './ledger.ts'
import { selectRow } from './rows.ts'
import { type Evidence, whyInvalid } from './validity.ts'

const counts = { emitted: 5, delivered: 5, dropped: 0, rejected: 0 }
const ledger: Ledger = { logLines: counts, spans: counts, metricPoints: counts }
const measurement = {
  responses: 10,
  errors: 0,
  wrongBodies: 0,
  generatorUtilization: 0.3,
  latenessMs: null,
} as Measurement
const inOrder: Evidence = {
  row: selectRow('framework', {}),
  measurements: [measurement],
  machine: { stealShare: 0.01, othersShare: 0.02 },
  ledger,
  restarted: undefined,
}
const measured = (...changes: Partial<Measurement>[]) => ({
  measurements: changes.map(change => ({ ...measurement, ...change })),
})
const late = { p50: 1, p90: 2, p99: 12.34, max: 50 }
const dropped = { ...ledger, logLines: { ...counts, delivered: 4, dropped: 1 } }
const rejected = { ...ledger, logLines: { ...counts, delivered: 3, rejected: 2 } }

describe('a sample', () => {
  const cases: readonly [Partial<Evidence>, string | null][] = [
    [{}, null],
    [{ machine: null }, null],
    [measured({ latenessMs: { ...late, p99: 2 } }), null],
    [{ restarted: 'apm-agent' }, 'apm-agent was restarted'],
    [measured({ errors: 2 }), '2 errors'],
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
      { machine: { stealShare: 0.2, othersShare: 0 } },
      "the host took 20 % of the machine's CPU time (steal)",
    ],
    [
      { machine: { stealShare: 0, othersShare: 0.5 } },
      'the machine was busy: other processes took 50 % of its CPU time',
    ],
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
      assert.equal(whyInvalid({ ...inOrder, ...change }), reason)
    })
  }
})
