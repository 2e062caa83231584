import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Results } from '../loadtest/outcome/results.ts'
import { resultsOf } from '../release/documents/runs.ts'
import { runCommand } from './run-command.ts'

/** Counts of a short run on a busy machine are within this factor of the published ones: few requests share what a second costs. */
const WITHIN = 5

const flags = 'run --rounds 1 --warmup 2s --duration 2s --spectrum no --accept-noise --json'.split(' ')
const { stdout } = await runCommand('loadtest/main.ts', flags)
const measured: Results = JSON.parse(stdout)

for (const metric of ['allocatedBytes', 'wakeups'] as const)
  describe(`${metric} of a request`, () => {
    for (const published of resultsOf('ladder').steps)
      test(`at step ${published.number} are about as many as the published run has`, () => {
        const expected = published[metric].median as number
        const now = measured.steps.find(({ number }) => number === published.number)?.[metric]
          .median as number
        assert.ok(now > expected / WITHIN && now < expected * WITHIN, `${now}, published are ${expected}`)
      })
  })
