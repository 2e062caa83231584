import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { CoresUse } from '../../sample/sample.ts'
import { findController } from './control-groups.ts'
import { slowCores } from './rows.ts'
import { SlowMotion } from './slow-motion.ts'
import { watchCores } from './take.ts'

const COUNT = 4
const CORES = slowCores(COUNT, 0.125)
const SECONDS = 5
/** The deviation from arithmetic that is allowed. */
const TOLERANCE = 0.05

/** How much of the slow cores a control program uses, whose arguments these are. */
async function measure(motion: SlowMotion, ...args: number[]) {
  const child = fork(join(import.meta.dirname, 'burner.fixture.ts'), args.map(String))
  const processes = [{ name: 'burner', pid: child.pid as number }]
  try {
    await once(child, 'message')
    motion.begin(processes, CORES)
    await delay(1000)
    const read = watchCores(processes, CORES)
    await delay(SECONDS * 1000)
    const { all, threads } = read()
    const { mean, busiest } = threads[0] as CoresUse['threads'][number]
    return { all: all * COUNT, mean, busiest }
  } finally {
    motion.end()
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
}

const canSlow = () => {
  try {
    accessSync(findController().own, constants.W_OK)
    return true
  } catch {
    return false
  }
}

describe(`${COUNT} slow cores`, { skip: !canSlow() && 'control groups cannot be made here' }, () => {
  const motion = canSlow() ? new SlowMotion() : (undefined as never)

  const isNear = (used: number, wanted: number, what: string) =>
    assert.ok(
      Math.abs(used - wanted) < wanted * TOLERANCE,
      `${what}: ${used.toFixed(3)} cores, not ${wanted}`,
    )

  for (const threads of [1, COUNT]) {
    test(`give each of ${threads} threads a whole one`, async () => {
      const { all, mean, busiest } = await measure(motion, threads)
      isNear(all, threads, 'all')
      isNear(mean, 1, 'each')
      isNear(busiest, 1, 'the busiest')
    })
  }

  test(`give ${COUNT + 1} threads all that they have, and none more than one`, async () => {
    const { all, busiest } = await measure(motion, COUNT + 1)
    isNear(all, COUNT, 'all')
    assert.ok(busiest < 1 + TOLERANCE, `the busiest has ${busiest}`)
  })

  test('let a thread go that has started since the last look, and can be used again', async () => {
    const begin = () => motion.begin([{ pid: process.pid }], CORES)
    begin()
    const worker = new Worker('', { eval: true })
    motion.end()
    assert.doesNotThrow(begin)
    motion.end()
    await once(worker, 'exit')
  })

  test('give two threads that wake each other one together, because only one runs at a time', async () => {
    isNear((await measure(motion, 2, 200)).all, 1, 'both')
  })
})
