import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawNormal } from '../../../lib/random.ts'
import { type P99, p99Of, search, truthAt } from './simulate.fixture.ts'
import { summarizeTrials } from './summarize.ts'

const LIMIT_MS = 100
const SEARCHES = 300
const LEAST = 0.94

for (const scatter of [0.1, 0.3, 0.6])
  for (const samples of [12, 20, 40])
    test(`at least 94 % of the intervals of ${samples} samples contain the rate, when p99 scatters by ${scatter * 100} %`, () => {
      const noisy: P99 = (rate, random) => p99Of(rate) * Math.exp(scatter * drawNormal(random))
      const truth = truthAt(LIMIT_MS)
      const found = Array.from({ length: SEARCHES }, (_, seed) =>
        summarizeTrials(search(noisy, LIMIT_MS, samples, seed * 7919 + 13)),
      )
      const covered = found.filter(({ ci95 }) => ci95 && ci95[0] <= truth && truth <= ci95[1])
      assert.ok(covered.length >= LEAST * SEARCHES, `${covered.length} of ${SEARCHES}`)
    })
