import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  fitSteady,
  fitWoken,
  forEachPart,
  microsAt,
  type Part,
  type PartUse,
  type UsedDemand,
} from './demands.ts'
import { near } from './near.fixture.ts'

/** A load at which a part costs this much for a request. */
const demandAt = (
  ratePerSecond: number,
  costly: Part,
  micros: number,
  use: PartUse = { wakeups: 0, heat: 0 },
): UsedDemand => ({
  ...{ isClosed: false, ratePerSecond },
  micros: forEachPart(part => (part === costly ? micros : 0)),
  use: forEachPart(() => use),
})

describe('the costs of the model', () => {
  test('of what requests wake have a part over the heat and one for each wake-up', () => {
    const uses = [
      { wakeups: 0.5, heat: 1 },
      { wakeups: 3, heat: 0.5 },
      { wakeups: 2, heat: 0.2 },
      { wakeups: 3, heat: 0.1 },
    ]
    const costOf = ({ wakeups, heat }: PartUse) => 100 + 40 / heat + 20 * wakeups
    const cost = fitWoken(
      uses.map(use => demandAt(100, 'mainThread', costOf(use), use)),
      'mainThread',
    )
    near(cost.micros, 100, 1e-6)
    for (const use of [...uses, { wakeups: 3, heat: 1 }]) near(microsAt(cost, use), costOf(use), 1e-6)
  })

  test('of what requests wake are never beyond the measured ones', () => {
    const costs = [
      demandAt(100, 'mainThread', 300, { wakeups: 3, heat: 0.25 }),
      demandAt(400, 'mainThread', 100, { wakeups: 1, heat: 0.75 }),
    ]
    const cost = fitWoken(costs, 'mainThread')
    assert.equal(microsAt(cost, { wakeups: 9, heat: 0 }), 300)
    assert.equal(microsAt(cost, { wakeups: 0, heat: 1 }), 100)
    const between = microsAt(cost, { wakeups: 2, heat: 0.5 })
    assert.ok(between > 100 && between < 300)
  })

  test('of what requests wake are the same at every use if one load was measured', () => {
    const cost = fitWoken([demandAt(100, 'mainThread', 150, { wakeups: 1, heat: 0.9 })], 'mainThread')
    assert.equal(microsAt(cost, { wakeups: 4, heat: 0.1 }), 150)
    const unused = fitWoken([demandAt(100, 'workers', 150)], 'mainThread')
    assert.equal(microsAt(unused, { wakeups: 1, heat: 0 }), 0)
  })

  test('of what runs at all times fall with the rate, by a time for each second and one for each request', () => {
    const ofHelpers = (ratePerSecond: number, micros: number) => demandAt(ratePerSecond, 'helpers', micros)
    const fitted = fitSteady([ofHelpers(50, 700), ofHelpers(200, 250), ofHelpers(1000, 130)], 'helpers')
    near(fitted.microsASecond, 30_000, 1e-6)
    near(fitted.microsARequest, 100, 1e-6)
    assert.deepEqual(fitSteady([ofHelpers(500, 80)], 'helpers'), { microsASecond: 0, microsARequest: 80 })
    assert.equal(fitSteady([ofHelpers(100, 50), ofHelpers(200, 60)], 'helpers').microsASecond, 0)
    assert.equal(fitSteady([ofHelpers(100, 300), ofHelpers(200, 100)], 'helpers').microsARequest, 0)
    assert.deepEqual(fitSteady([ofHelpers(100, 0)], 'helpers'), { microsASecond: 0, microsARequest: 0 })
  })
})
