import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lastStep } from '../../app/steps.ts'
import type { Row } from '../sample/rows.ts'
import { perSecond, runIdle, summarizeIdle } from './idle.ts'

const use = (cpuMs: number, wakeups: number) => ({
  mainThread: { cpuMs, wakeups },
  allThreads: { cpuMs: 2 * cpuMs, wakeups: 2 * wakeups },
})

test('the use of a window is given a second', () => {
  assert.deepEqual(perSecond(use(10, 100), use(30, 140), 4), use(5, 10))
})

test('a row has the medians of its samples', () => {
  const sample = (round: number, cpuMs: number) => ({ round, valid: true, reason: null, ...use(cpuMs, 4) })
  const row = { number: 6, name: 'last', composition: lastStep.composition }
  const { mainThread, allThreads } = summarizeIdle(row, [sample(1, 2), sample(2, 9), sample(3, 3)]).use
  assert.deepEqual([mainThread.cpuMs.median, allThreads.cpuMs.median, allThreads.wakeups.median], [3, 6, 8])
})

test('a sample is refused, taken again, and left out of the medians, if a process was restarted', async () => {
  const row = { number: null, name: 'last', composition: lastStep.composition } as Row
  const restarts = ['apm-agent', undefined]
  const results = await runIdle(
    [row],
    { command: 'idle', arguments: [], rounds: 2, seed: 1, settleSeconds: 1, windowSeconds: 1 },
    new AbortController().signal,
    async () => {
      const restarted = restarts.shift()
      return { ...use(restarted ? -50 : 2, 1), restarted }
    },
    () => {},
  )
  const [{ samples, use: medians }] = results.rows as [(typeof results.rows)[number]]
  assert.deepEqual(
    samples.map(({ valid, reason }) => [valid, reason]),
    [
      [false, 'apm-agent was restarted'],
      [true, null],
      [true, null],
    ],
  )
  assert.equal(medians.mainThread.cpuMs.median, 2)
})
