import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { drawExponential } from '../../../lib/random.ts'
import { HIGHEST_RATE, isSettled, LOWEST_RATE, nextRate, type Trial } from './search.ts'
import { type P99, p99Of, SERVED_PER_SECOND, search, truthAt } from './simulate.fixture.ts'
import { summarizeTrials } from './summarize.ts'

const trial = (ratePerSecond: number, outcome: Trial['outcome']): Trial => ({
  ratePerSecond,
  outcome,
  excess: outcome === 'holds' ? -1 : 1,
})

/** Rates of a search whose samples have these outcomes. */
function ratesAfter(...outcomes: Trial['outcome'][]): number[] {
  const trials: Trial[] = []
  for (const outcome of outcomes) trials.push(trial(nextRate(trials, 100), outcome))
  return [...trials.map(({ ratePerSecond }) => ratePerSecond), nextRate(trials, 100)]
}

/** The p99 of requests that arrive at random at one server (M/M/1), each simulated by its wait (Lindley 1952). */
const queue: P99 = (ratePerSecond, random) => {
  const draw = (perSecond: number) => (drawExponential(random) * 1000) / perSecond
  const latencies = new Float64Array(20_000)
  for (let request = 0, waitMs = 0; request < latencies.length; request++) {
    latencies[request] = waitMs + draw(SERVED_PER_SECOND)
    waitMs = Math.max(0, (latencies[request] as number) - draw(ratePerSecond))
  }
  return latencies.sort()[Math.ceil(latencies.length * 0.99) - 1] as number
}

describe('the search of the highest rate', () => {
  test('doubles while the limit holds, halves while it fails, in smaller steps after each change', () => {
    assert.deepEqual(ratesAfter('holds', 'holds'), [100, 200, 400])
    assert.deepEqual(ratesAfter('fails', 'fails'), [100, 50, 25])
    assert.deepEqual(ratesAfter('holds', 'fails', 'fails', 'holds'), [100, 200, 141.4, 100, 118.9])
    assert.deepEqual(ratesAfter('refused', 'limited'), [100, 100, 50])
  })

  test('ends at the ends of the rates', () => {
    const low = Array.from({ length: 3 }, () => trial(LOWEST_RATE, 'fails'))
    assert.equal(nextRate([...low, ...low], LOWEST_RATE), LOWEST_RATE)
    assert.ok(isSettled(low))
    assert.ok(!isSettled(low.slice(1)))
    assert.ok(!isSettled([...low, trial(LOWEST_RATE, 'holds')]))
    assert.ok(isSettled(Array.from({ length: 3 }, () => trial(HIGHEST_RATE, 'holds'))))
  })

  test('finds the rate of a queue whose p99 has a closed form', () => {
    for (const limitMs of [60, 100]) {
      const { finding, ratePerSecond, ci95 } = summarizeTrials(search(queue, limitMs, 20, 1))
      const truth = truthAt(limitMs)
      assert.equal(finding, 'found')
      assert.ok(Math.abs(Number(ratePerSecond) / truth - 1) < 0.05, `${ratePerSecond} instead of ${truth}`)
      assert.ok(ci95 && ci95[0] < truth && ci95[1] > truth, `${ci95} without ${truth}`)
    }
  })

  test('gives no interval from few samples', () => {
    const { finding, ci95, halfWidth } = summarizeTrials(search(p99Of, 100, 6, 1))
    assert.deepEqual([finding, ci95, halfWidth], ['found', null, Number.POSITIVE_INFINITY])
  })

  test('says when the limit never holds, always holds, or the load generator is the limit', () => {
    assert.deepEqual(pick(search(() => 500, 100, 6, 1)), ['never', 10])
    assert.deepEqual(pick(search(() => 5, 100, 4, 1)), ['always', 400])
    assert.deepEqual(pick([trial(100, 'holds'), trial(200, 'limited'), trial(141, 'holds')]), ['always', 141])
    assert.deepEqual(pick([trial(100, 'limited'), trial(50, 'refused')]), ['nothing', null])
  })
})

function pick(trials: readonly Trial[]) {
  const { finding, ratePerSecond } = summarizeTrials(trials)
  return [finding, ratePerSecond]
}
