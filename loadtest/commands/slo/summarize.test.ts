import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Row } from '../../sample/rows.ts'
import type { SloSample } from './results.ts'
import { p99Of } from './simulate.fixture.ts'
import { summarizeSlo } from './summarize.ts'

const LIMIT_MS = 100

/** A sample at each rate, of a row that serves this many times as much as another. */
const samplesOf = (speed: number): SloSample[] =>
  [50, 100, 150, 200, 400, 600].map(
    ratePerSecond =>
      ({
        ...{ ratePerSecond, round: 1, valid: true, reason: null, responses: 1000, errors: 0 },
        latencyMs: { p99: p99Of(ratePerSecond / speed) },
        latenessMs: { p99: 1 },
        generatorUtilization: 0.2,
      }) as SloSample,
  )

test('a row is compared with its own baseline, which is not the first row if that did not run', () => {
  const plan = [
    { name: 'first on 20', baseline: 'first on 22', didNotRun: 'it is old', speed: 1 },
    { name: 'first on 22', baseline: 'first on 22', speed: 1 },
    { name: 'first on 24', baseline: 'first on 22', speed: 2 },
    { name: 'last on 22', baseline: 'last on 22', speed: 2 },
    { name: 'last on 24', baseline: 'last on 22', speed: 2 },
  ]
  const rows = plan.map(({ speed: _, ...row }) => row as unknown as Row)
  const samples = new Map(
    rows.map((row, index) => [
      row,
      row.didNotRun === undefined ? samplesOf(plan[index]?.speed as number) : [],
    ]),
  )
  assert.deepEqual(
    summarizeSlo(rows, samples, LIMIT_MS).map(({ versusFirst }) => versusFirst?.ratio.toFixed(0) ?? null),
    [null, null, '2', null, '1'],
  )
})
