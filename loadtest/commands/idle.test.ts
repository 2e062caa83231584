import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lastStep } from '../../app/steps.ts'
import { perSecond, summarizeIdle } from './idle.ts'

const use = (cpuMs: number, wakeups: number) => ({
  mainThread: { cpuMs, wakeups },
  allThreads: { cpuMs: 2 * cpuMs, wakeups: 2 * wakeups },
})

test('the use of an idle stack is given a second; a row has the medians of its valid samples', () => {
  assert.deepEqual(perSecond(use(10, 100), use(30, 140), 4), use(5, 10))
  const row = { number: 6, name: 'last', composition: lastStep.composition }
  const samples = [2, -50, 9, 3].map((cpuMs, round) => ({
    ...{ round, valid: cpuMs > 0, reason: null },
    ...use(cpuMs, 4),
  }))
  const { mainThread, allThreads } = summarizeIdle(row, samples).use
  assert.deepEqual([mainThread.cpuMs.median, allThreads.cpuMs.median, allThreads.wakeups.median], [3, 6, 8])
})
