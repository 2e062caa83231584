import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Deadlines } from './deadlines.ts'

describe('deadlines', () => {
  test('are met by answers that are ready in time', async () => {
    const deadlines = new Deadlines()
    const answer = deadlines.meet(Promise.resolve('made'), Date.now() + 60_000, () => 'late', assert.fail)
    assert.equal(await answer, 'made')
  })

  test('are answered in their order for late answers, which are then discarded', async () => {
    const deadlines = new Deadlines()
    const { promise: making, resolve: make } = Promise.withResolvers<string>()
    const { promise: discarded, resolve: discard } = Promise.withResolvers<string>()
    const order: number[] = []
    const now = Date.now()
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
