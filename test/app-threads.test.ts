import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { describe, type TestContext, test } from 'node:test'
import type { Composition } from '../app/concerns.ts'
import { lastStep } from '../app/steps.ts'
import { patience } from '../app/test-options.fixture.ts'
import { childrenOf } from './run-command.ts'
import { startStack } from './stack-parts.ts'

const OWN = getPriority()
/** Higher than the priority of this process, which may have been started with nice(1). */
const ASKED = OWN + 7

/** Starts the last step with one thread in each pool and lets each do some work. @returns the id of the app's process */
async function startApp(
  t: TestContext,
  changes: Partial<Composition>,
  workerPriority: number,
  paths = ['/demo', '/page'],
) {
  const stack = await startStack({
    composition: { ...lastStep.composition, ...changes, logging: 'none', apm: 'none' },
    app: { ...patience, threads: 1, workerPriority },
  })
  t.after(() => stack.stop())
  for (const path of paths) {
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

describe('the threads of the app', { skip: process.platform !== 'linux' && 'read from /proc' }, () => {
  test('have the priority that is asked for if they compute and render, and no others have it', async t => {
    const pid = await startApp(t, {}, ASKED)
    const nices = new Map(nicesOfThreads(pid))
    assert.equal(nices.get(pid), OWN, 'of the main thread')
    const values = [...nices.values()].toSorted((a, b) => a - b)
    assert.deepEqual(values, [...new Array(nices.size - 2).fill(OWN), ASKED, ASKED])
  })

  test('have their own priority while child processes compute with another', async t => {
    const pid = await startApp(t, { compute: 'processes', upstream: 'main', rendering: 'string' }, ASKED, [
      '/cpu',
    ])
    assert.deepEqual(new Set(nicesOfThreads(pid).map(([, nice]) => nice)), new Set([OWN]))
    assert.deepEqual(
      childrenOf(pid).map(child => niceOf(child, child)),
      [ASKED],
    )
  })
})
