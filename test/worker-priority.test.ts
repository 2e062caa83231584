import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { describe, type TestContext, test } from 'node:test'
import type { Composition } from '../app/concerns.ts'
import { lastStep } from '../app/steps.ts'
import { startStack } from '../stack/stack.ts'

const OWN = getPriority()
/** Higher than the priority of this process, which may have been started with nice(1). */
const ASKED = OWN + 7

/** Starts the last step with one thread in each pool and lets each do some work. @returns the id of the app's process */
async function startApp(t: TestContext, changes: Partial<Composition>, workerPriority: number) {
  const stack = await startStack({
    composition: { ...lastStep.composition, ...changes, logging: 'none', apm: 'none' },
    app: { threads: 1, workerPriority },
  })
  t.after(() => stack.stop())
  for (const path of ['/io', '/demo', '/page']) {
    const response = await fetch(stack.address('app') + path)
    assert.equal(response.status, 200)
    await response.arrayBuffer()
  }
  return stack.processes.find(({ name }) => name === 'app')?.pid as number
}

/** Reads field 19 of /proc/PID/task/TID/stat, see proc(5). Field 2 is a name in parentheses that can contain anything. */
function niceOf(pid: number, tid: number): number {
  const stat = readFileSync(`/proc/${pid}/task/${tid}/stat`, 'utf8')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
}

const nicesOfThreads = (pid: number) =>
  readdirSync(`/proc/${pid}/task`).map(tid => [Number(tid), niceOf(pid, Number(tid))] as const)

const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)

describe('the priority of workers', { skip: process.platform !== 'linux' && 'read from /proc' }, () => {
  test('is set for the threads that compute and render, and for no other', async t => {
    const pid = await startApp(t, {}, ASKED)
    const nices = new Map(nicesOfThreads(pid))
    assert.equal(nices.get(pid), OWN, 'of the main thread')
    const values = [...nices.values()].toSorted((a, b) => a - b)
    assert.deepEqual(values, [...new Array(nices.size - 2).fill(OWN), ASKED, ASKED])
  })

  test('is set for child processes too', async t => {
    const pid = await startApp(t, { compute: 'processes', rendering: 'string' }, ASKED)
    assert.deepEqual(new Set(nicesOfThreads(pid).map(([, nice]) => nice)), new Set([OWN]))
    assert.deepEqual(
      childrenOf(pid).map(child => niceOf(child, child)),
      [ASKED],
    )
  })

  test("is the main thread's with --worker-priority 0", async t => {
    const pid = await startApp(t, {}, 0)
    assert.deepEqual(new Set(nicesOfThreads(pid).map(([, nice]) => nice)), new Set([OWN]))
  })
})
