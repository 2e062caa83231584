import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { monotonicMs } from '../../lib/units.ts'
import { Deadlines } from './deadlines.ts'

describe('deadlines', () => {
  test('are met by answers that are ready in time', async () => {
    const deadlines = new Deadlines()
    const answer = deadlines.meet(Promise.resolve('made'), monotonicMs() + 60_000, () => 'late', assert.fail)
    assert.equal(await answer, 'made')
  })

  test('do not move when the clock of the machine is set', async t => {
    t.mock.timers.enable({ apis: ['Date'], now: 7_200_000 })
    const deadlines = new Deadlines()
    const never = new Promise<string>(() => {})
    const meet = (forMs: number) => deadlines.meet(never, monotonicMs() + forMs, () => 'late', assert.fail)
    const early = meet(5)
    t.mock.timers.setTime(3_600_000)
    const alive = setInterval(() => {}, 1000)
    assert.deepEqual(await Promise.all([early, meet(5)]), ['late', 'late'])
    clearInterval(alive)
  })

  test('are answered in their order for late answers, which are then discarded', async () => {
    const deadlines = new Deadlines()
    const { promise: making, resolve: make } = Promise.withResolvers<string>()
    const { promise: discarded, resolve: discard } = Promise.withResolvers<string>()
    const order: number[] = []
    const now = monotonicMs()
    const late = [1, 2, 3].map(turn => {
      const tooLate = () => `late ${order.push(turn)}`
      return deadlines.meet(making, now + turn * 5, tooLate, discard)
    })
    // The timer of the deadlines does not keep the process alive, so another one has to.
    const alive = setInterval(() => {}, 1000)
    assert.deepEqual(await Promise.all(late), ['late 1', 'late 2', 'late 3'])
    clearInterval(alive)
    assert.deepEqual(order, [1, 2, 3])
    make('made')
    assert.equal(await discarded, 'made')
  })
})
