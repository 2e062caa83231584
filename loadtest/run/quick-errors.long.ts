import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { percent } from '../../lib/units.ts'
import { describeMachine, machines, strayOf } from '../statistics/simulated-run.fixture.ts'
import { START_SCATTER } from '../statistics/thresholds.ts'
import { simulateQuick } from './simulated-quick.fixture.ts'

/** Runs that keep their stacks, with as many samples as 90 seconds leave time for, and runs of fresh stacks, with more. */
const kinds = [
  {
    what: 'kept',
    design: { looks: true, keepsStacks: true },
    scatter: 0.12,
    starts: START_SCATTER,
    samples: 85,
    pairs: 1200,
  },
  { what: 'fresh', design: { looks: true }, scatter: 0.05, starts: 0, samples: 28, pairs: 4800 },
] as const

for (const { what, design, samples, pairs, ...noise } of kinds)
  describe(`a run with --quick and ${what} stacks calls rows that are the same different at most 2 times of 100:`, () => {
    for (const rows of [8, 2])
      for (const machine of machines)
        test(`${rows} rows, ${samples} samples, ${describeMachine(machine)}`, t => {
          const { wrong, wrongWithLast } = simulateQuick(
            { rows, samples, ...noise, ...machine },
            pairs,
            design,
          )
          t.diagnostic(
            `${percent(wrong, 1)} wrong, ${percent(wrongWithLast, 1)} of the pairs with the last row`,
          )
          assert.ok(wrong <= 0.02 + strayOf(0.02, pairs), percent(wrong, 1))
        })
  })
