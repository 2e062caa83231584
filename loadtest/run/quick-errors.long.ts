import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describeMachine, machines, strayOf } from '../statistics/simulated-run.fixture.ts'
import { START_SCATTER } from '../statistics/thresholds.ts'
import { simulateQuick } from './simulated-quick.fixture.ts'

const PAIRS = 1200

/** Runs that keep their stacks, with as many samples as 90 seconds leave time for, and runs of fresh stacks, with more. */
const kinds = [
  {
    what: 'kept',
    design: { looks: true, keepsStacks: true },
    scatter: 0.12,
    starts: START_SCATTER,
    samples: 85,
  },
  { what: 'fresh', design: { looks: true }, scatter: 0.05, starts: 0, samples: 28 },
] as const

for (const { what, design, samples, ...noise } of kinds)
  describe(`a run with --quick and ${what} stacks calls rows that are the same different at most 2 times of 100:`, () => {
    for (const rows of [8, 2])
      for (const machine of machines)
        test(`${rows} rows, ${samples} samples, ${describeMachine(machine)}`, t => {
          const share = simulateQuick({ rows, samples, ...noise, ...machine }, PAIRS, design)
          t.diagnostic(`${(share * 100).toFixed(2)} % wrong`)
          assert.ok(share <= 0.02 + strayOf(0.02, PAIRS), `${share} wrong`)
        })
  })
