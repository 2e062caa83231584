import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lastStep } from '../../app/steps.ts'
import { summarizeIdle } from './summarize.ts'
import { perSecond } from './threads.ts'

const use = (cpuMs: number, wakeups: number) => ({
  mainThread: { cpuMs, wakeups },
  allThreads: { cpuMs: 2 * cpuMs, wakeups: 2 * wakeups },
})

test('the use of a window is given a second', () => {
  assert.deepEqual(perSecond(use(10, 100), use(30, 140), 4), use(5, 10))
})

test('a row has the medians of each process, and of the sum of all', () => {
  const sample = (round: number, cpuMs: number) => ({
    round,
    valid: true,
    reason: null,
    processes: { app: use(cpuMs, 4), orders: use(1, 1) },
  })
  const row = { number: 6, name: 'last', composition: lastStep.composition }
  const { processes } = summarizeIdle(row, [sample(1, 2), sample(2, 9), sample(3, 3)])
  assert.deepEqual(
    processes.map(({ name, mainThread, allThreads }) => [
      name,
      mainThread.cpuMs.median,
      mainThread.wakeups.median,
      allThreads.wakeups.median,
    ]),
    [
      ['app', 3, 4, 8],
      ['orders', 1, 1, 2],
      ['all', 4, 5, 10],
    ],
  )
})
