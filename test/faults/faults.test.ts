import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { testSeconds } from './fault.ts'
import { groups } from './groups.ts'

/** Always the same: what `npm test` finds, it finds again. */
const SEED = 1

/** In short; `npm run faults` lets them last. */
for (const [group, faults] of Object.entries(groups)) {
  describe(`${group} keeps its promises`, () => {
    for (const fault of faults.filter(({ isLong }) => !isLong)) {
      const { name, needs, run } = fault
      test(`when the fault is: ${name}`, { skip: needs?.() ?? false }, async t => {
        const directory = mkdtempSync(join(tmpdir(), 'faults-'))
        t.after(() => rmSync(directory, { recursive: true, force: true }))
        const circumstances = { seed: SEED, progress: (says: string) => t.diagnostic(says) }
        t.diagnostic(await run(directory, testSeconds(fault), circumstances))
      })
    }
  })
}
