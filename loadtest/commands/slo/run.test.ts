import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { selectRows } from '../../sample/rows.ts'
import type { Sample } from '../../sample/sample.ts'
import { judgeTrial } from './judge.ts'
import type { SloResults, SloSettings } from './results.ts'
import { runSlo } from './run.ts'
import { p99Of } from './simulate.fixture.ts'

const settings = { command: 'slo', rounds: 14, p99Ms: 100, firstRate: 50, seed: 3 } as SloSettings

const good = {
  ...{ round: 1, valid: true, reason: null, responses: 1000, errors: 0, wrongBodies: 0 },
  generatorUtilization: 0.2,
  latencyMs: { p99: 50 },
  latenessMs: { p99: 1 },
} as Sample

const lateness = 'the load generator was late'
const late = { valid: false, reason: lateness, noise: lateness, latenessMs: { p99: 40 } }

const outcomeOf = (sample: object) => judgeTrial({ ...good, ...sample } as Sample, 70, 100).outcome

describe('a sample', () => {
  test('holds when p99 is within the limit and nearly all requests are answered', () => {
    assert.equal(outcomeOf({}), 'holds')
    assert.equal(outcomeOf({ latencyMs: { p99: 101 } }), 'fails')
    assert.equal(outcomeOf({ errors: 10, valid: false, reason: '10 errors' }), 'holds')
    assert.equal(outcomeOf({ errors: 11, valid: false, reason: '11 errors' }), 'fails')
    assert.equal(outcomeOf({ responses: 0, valid: false, reason: 'no good response in the window' }), 'fails')
  })

  test('says nothing when it is refused for another reason', () => {
    assert.equal(outcomeOf({ valid: false, reason: '2 wrong bodies', wrongBodies: 2 }), 'refused')
    const noise = 'other programs made the main thread wait'
    assert.equal(outcomeOf({ valid: false, reason: noise, noise }), 'refused')
  })

  test('is refused when it is wrong, also beside a late load generator or without a good response', () => {
    for (const reason of ['2 wrong bodies', 'apm-agent was restarted', 'the ledger of spans is open']) {
      const wrong = { valid: false, reason, noise: lateness }
      assert.equal(outcomeOf({ ...late, ...wrong }), 'refused')
      assert.equal(outcomeOf({ ...wrong, responses: 0 }), 'refused')
    }
  })

  test('fails because of the load generator only when the app alone is within the limit', () => {
    assert.equal(outcomeOf({ ...late, latencyMs: { p99: 90 } }), 'holds')
    assert.equal(outcomeOf({ ...late, latencyMs: { p99: 120 } }), 'limited')
    assert.equal(outcomeOf({ ...late, latencyMs: { p99: 150 } }), 'fails')
    assert.equal(outcomeOf({ generatorUtilization: 0.95, latencyMs: { p99: 500 } }), 'limited')
  })
})

test('rows are searched side by side, each at its own rates, and saved after every sample', async () => {
  const rows = selectRows('0,3', undefined, {})
  const saved: SloResults[] = []
  const blocks: number[] = []
  const { signal } = new AbortController()
  const results = await runSlo(rows, settings, signal, {
    async take(row, round) {
      blocks.push(round)
      const speed = row.number === 0 ? 1 : 4
      const latencyMs = { p99: p99Of((row.ratePerSecond as number) / speed) }
      const isRefused = blocks.length === 2
      return { ...good, round, latencyMs, ...(isRefused && { valid: false, reason: 'busy' }) } as Sample
    },
    save: each => saved.push(each),
    say() {},
  })
  assert.equal(blocks.length, 2 * settings.rounds + 1)
  assert.equal(saved.length, blocks.length + 1)
  assert.deepEqual([saved[0]?.partial, results.partial], [true, false])
  const [first, second] = results.rows
  assert.ok(Math.abs(Number(first?.ratePerSecond) / 154 - 1) < 0.02, `${first?.ratePerSecond}`)
  assert.equal(first?.versusFirst, null)
  assert.ok(Math.abs(Number(second?.versusFirst?.ratio) / 4 - 1) < 0.03, `${second?.versusFirst?.ratio}`)
  assert.equal(second?.versusFirst?.verdict, 'faster')
  assert.equal([first, second].flatMap(row => row?.samples.filter(({ valid }) => !valid)).length, 1)
})
