import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testSeconds } from './fault.ts'
import { groups } from './groups.ts'
import { tryFault } from './try-fault.ts'

/** Always the same: what `npm test` finds, it finds again. */
const SEED = 1

/** In short; `npm run faults` lets them last. */
for (const [group, faults] of Object.entries(groups)) {
  describe(`${group} keeps its promises`, () => {
    for (const fault of faults.filter(({ isLong }) => !isLong)) {
      const { name, needs } = fault
      test(`when the fault is: ${name}`, { skip: needs?.() ?? false }, async t => {
        const order = { group, name, seconds: testSeconds(fault), seed: SEED }
        const { held, says } = await tryFault(order, progress => t.diagnostic(progress), t.signal)
        assert.ok(held, says)
        t.diagnostic(says)
      })
    }
  })
}
