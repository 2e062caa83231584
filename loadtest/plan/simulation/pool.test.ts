import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Agenda } from './agenda.ts'
import { Cores } from './cores.ts'
import { SimulatedPool } from './pool.ts'
import type { SimulatedThread } from './thread.ts'

const REPLY_MICROS = 10
const JOB_MICROS = 1000

function start(threads: number) {
  const agenda = new Agenda()
  const cores = new Cores(agenda, threads + 1)
  const mainThread = cores.thread()
  const workers = Array.from({ length: threads }, () => cores.thread())
  const pool = new SimulatedPool(mainThread, workers, () => REPLY_MICROS)
  const job = (thread: SimulatedThread, finished: () => void) => thread.work(JOB_MICROS, finished)
  const run = (count: number) => {
    const repliedAtMicros: number[] = []
    for (let index = 0; index < count; index++) pool.run(job, () => repliedAtMicros.push(agenda.nowMicros))
    agenda.runUntil(1e6)
    return repliedAtMicros
  }
  return { run, workers }
}

describe('the simulated pool', () => {
  test('answers one job after its work and the reply', () => {
    assert.deepEqual(start(1).run(1), [JOB_MICROS + REPLY_MICROS])
  })

  test('keeps all threads busy', () => {
    const { run, workers } = start(4)
    const replies = run(40)
    assert.equal(replies.length, 40)
    assert.deepEqual(
      workers.map(({ usedMicros }) => usedMicros),
      Array(4).fill(10 * JOB_MICROS),
    )
  })

  test('sends many jobs in one message while many wait, so that their replies come together', () => {
    const replies = start(1).run(10)
    const gaps = replies.slice(1).map((at, index) => at - (replies[index] as number))
    assert.equal(gaps.filter(gap => gap === REPLY_MICROS).length, 4, `replies at ${replies}`)
  })
})
