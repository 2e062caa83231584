import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fitSteady, forEachPart, microsAt } from './demands.ts'
import { near } from './near.fixture.ts'

describe('the costs of the model', () => {
  test('lie between those of the measured loads, and do not grow beyond them', () => {
    const costs = [
      { wakeups: 3, heat: 0.25, micros: 300 },
      { wakeups: 1, heat: 0.75, micros: 100 },
    ]
    const [cold, hot] = [0.25, 0.75].map(heat => microsAt(costs, { wakeups: 2, heat })) as [number, number]
    assert.ok(hot > 100 && hot < 200 && cold > 200 && cold < 300)
    assert.deepEqual(
      costs.map(cost => microsAt(costs, cost)),
      [300, 100],
    )
  })

  test('are chosen by wake-ups and by heat alike, however many wake-ups there are', () => {
    const alike = [
      { wakeups: 0, heat: 1, micros: 100 },
      { wakeups: 4, heat: 0, micros: 300 },
    ]
    assert.equal(microsAt(alike, { wakeups: 4, heat: 1 }), 200)
    assert.equal(microsAt(alike, { wakeups: 0, heat: 0 }), 200)
    const equallyHot = alike.map((cost, index) => ({ ...cost, heat: 1 - index / 1000 }))
    assert.ok(microsAt(equallyHot, { wakeups: 4, heat: 0.97 }) > 250)
  })

  test('of what runs at all times fall with the rate, by a time for each second and one for each request', () => {
    const demandAt = (ratePerSecond: number, helpers: number) => ({
      ...{ isClosed: false, ratePerSecond },
      micros: forEachPart(part => (part === 'helpers' ? helpers : 0)),
    })
    const fitted = fitSteady([demandAt(50, 700), demandAt(200, 250), demandAt(1000, 130)], 'helpers')
    near(fitted.microsASecond, 30_000, 1e-6)
    near(fitted.microsARequest, 100, 1e-6)
    assert.deepEqual(fitSteady([demandAt(500, 80)], 'helpers'), { microsASecond: 0, microsARequest: 80 })
    assert.equal(fitSteady([demandAt(100, 50), demandAt(200, 60)], 'helpers').microsASecond, 0)
    assert.equal(fitSteady([demandAt(100, 300), demandAt(200, 100)], 'helpers').microsARequest, 0)
    assert.deepEqual(fitSteady([demandAt(100, 0)], 'helpers'), { microsASecond: 0, microsARequest: 0 })
  })
})
