import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mean } from '../../statistics/mean.ts'
import { near } from '../near.fixture.ts'
import { Agenda } from './agenda.ts'
import { Cores } from './cores.ts'
import type { SimulatedThread } from './thread.ts'

describe('simulated cores', () => {
  test('divide a core by the weights of the nice values, which differ by a factor of 9.3 at a nice value of 10', () => {
    const agenda = new Agenda()
    const cores = new Cores(agenda, 1)
    const [normal, low] = [cores.thread(0), cores.thread(10)]
    const spin = (thread: SimulatedThread) => thread.work(500, () => spin(thread))
    spin(normal)
    spin(low)
    agenda.runUntil(20e6)
    near(normal.usedMicros + low.usedMicros, 20e6)
    near(normal.usedMicros / low.usedMicros, 1.25 ** 10)
  })

  test('let a thread wait that has the lower priority, and let it run when the other sleeps', () => {
    const agenda = new Agenda()
    const cores = new Cores(agenda, 1)
    const [normal, low] = [cores.thread(0), cores.thread(10)]
    const finished: string[] = []
    low.work(20_000, () => finished.push('low'))
    agenda.after(5000, () => normal.work(2000, () => finished.push('normal')))
    agenda.runUntil(1e6)
    assert.deepEqual(finished, ['normal', 'low'])
    assert.equal(low.usedMicros, 20_000)
  })

  test('let a thread that wakes run at once, or at a later tick if it had more time than the one that runs', () => {
    const agenda = new Agenda()
    const cores = new Cores(agenda, 1, { sliceMicros: 1400 })
    cores.thread().work(20_000)
    const other = cores.thread()
    const endedAtMicros: number[] = []
    const wake = (atMicros: number, cpuMicros: number) =>
      agenda.after(atMicros, () => other.work(cpuMicros, () => endedAtMicros.push(agenda.nowMicros)))
    wake(1000, 2000)
    // The tick at 4000 comes before the slice of the first thread is over, which began at 3000.
    wake(3100, 100)
    agenda.runUntil(1e6)
    assert.deepEqual(endedAtMicros, [3000, 8100])
  })

  test('give a core only to the thread that was woken, and leave one that waits to a tick', () => {
    const agenda = new Agenda()
    const cores = new Cores(agenda, 1, { sliceMicros: 1400 })
    cores.thread().work(3000)
    const waiting = cores.thread()
    waiting.virtualMicros = 2000
    let endedAtMicros = 0
    agenda.after(500, () =>
      waiting.work(100, () => {
        endedAtMicros = agenda.nowMicros
      }),
    )
    agenda.after(2500, () => cores.thread(10).work(100))
    agenda.runUntil(1e6)
    assert.equal(endedAtMicros, 3100)
  })

  test('are taken by the host independently of each other', () => {
    const agenda = new Agenda()
    const [one, other] = [1, 2].map(stealSeed => {
      const thread = new Cores(agenda, 1, { stealShare: 0.3, stealSeed }).thread()
      thread.work(1e6)
      return thread
    })
    agenda.runUntil(5e5)
    assert.notEqual(one?.virtualAt(5e5), other?.virtualAt(5e5))
  })

  test('start a thread on an idle core after the time that a core takes to wake', () => {
    const agenda = new Agenda()
    let endedAtMicros = 0
    new Cores(agenda, 2, { wakeMicros: 50 }).thread().work(100, () => {
      endedAtMicros = agenda.nowMicros
    })
    agenda.runUntil(1000)
    assert.equal(endedAtMicros, 150)
  })

  test('lose the share of a core that the host takes, while the CPU time of a thread does not grow', () => {
    const agenda = new Agenda()
    const thread = new Cores(agenda, 1, { stealShare: 0.2 }).thread()
    let finished = 0
    const spin = () => {
      finished++
      thread.work(500, spin)
    }
    spin()
    agenda.runUntil(60e6)
    near(thread.usedMicros, 0.8 * 60e6)
    near(finished, (0.8 * 60e6) / 500)
  })

  test('let a thread that wakes wait while the host has its core', () => {
    const agenda = new Agenda()
    const thread = new Cores(agenda, 1, { stealShare: 0.1 }).thread()
    const times: number[] = []
    const ask = () => {
      const askedAtMicros = agenda.nowMicros
      thread.work(100, () => times.push(agenda.nowMicros - askedAtMicros))
      agenda.after(10_000, ask)
    }
    ask()
    agenda.runUntil(400e6)
    near(mean(times), 100 / 0.9 + 0.1 * 4000)
  })
})
