import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { monotonicMs } from '../../../lib/units.ts'
import { Deadlines } from './deadlines.ts'

describe('deadlines', () => {
  test('are met by answers that are ready in time', () => {
    const answers: string[] = []
    const settle = (answer: string) => answers.push(answer)
    const take = new Deadlines().meet(monotonicMs() + 60_000, settle, () => 'late', assert.fail)
    take('made')
    assert.deepEqual(answers, ['made'])
  })

  test('do not move when the clock of the machine is set', async t => {
    t.mock.timers.enable({ apis: ['Date'], now: 7_200_000 })
    const deadlines = new Deadlines()
    const meet = (forMs: number) =>
      new Promise<string>(resolve => {
        deadlines.meet(monotonicMs() + forMs, resolve, () => 'late', assert.fail)
      })
    const early = meet(5)
    t.mock.timers.setTime(3_600_000)
    const alive = setInterval(() => {}, 1000)
    assert.deepEqual(await Promise.all([early, meet(5)]), ['late', 'late'])
    clearInterval(alive)
  })

  test('are answered in their order for late answers, which are then discarded', async () => {
    const deadlines = new Deadlines()
    const discarded: string[] = []
    const discard = (made: string) => discarded.push(made)
    const order: number[] = []
    const now = monotonicMs()
    const answers = [1, 2, 3].map(turn => {
      const { promise: late, resolve } = Promise.withResolvers<string>()
      const tooLate = () => `late ${order.push(turn)}`
      return { late, take: deadlines.meet(now + turn * 5, resolve, tooLate, discard) }
    })
    // The timer of the deadlines does not keep the process alive, so another one has to.
    const alive = setInterval(() => {}, 1000)
    assert.deepEqual(await Promise.all(answers.map(({ late }) => late)), ['late 1', 'late 2', 'late 3'])
    clearInterval(alive)
    assert.deepEqual(order, [1, 2, 3])
    for (const { take } of answers) take('made')
    assert.deepEqual(discarded, ['made', 'made', 'made'])
  })
})
