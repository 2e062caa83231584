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
const UV_THREADS = 6

/** Starts the last step with one thread in each pool and lets each do some work. @returns the id of the app's process */
async function startApp(
  t: TestContext,
  changes: Partial<Composition>,
  workerPriority: number,
  paths = ['/io', '/demo', '/page'],
) {
  const stack = await startStack({
    composition: { ...lastStep.composition, ...changes, logging: 'none', apm: 'none' },
    app: { ...patience, threads: 1, workerPriority, uvThreads: UV_THREADS },
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
  test('are as options ask', async t => {
    const pid = await startApp(t, {}, ASKED)
    await t.test('the priority is set for those that compute and render, and for no other', () => {
      const nices = new Map(nicesOfThreads(pid))
      assert.equal(nices.get(pid), OWN, 'of the main thread')
      const values = [...nices.values()].toSorted((a, b) => a - b)
      assert.deepEqual(values, [...new Array(nices.size - 2).fill(OWN), ASKED, ASKED])
    })

    await t.test('the pool of libuv has the size that is asked for', () => {
      const tasks = `/proc/${pid}/task`
      const names = readdirSync(tasks).map(id => readFileSync(`${tasks}/${id}/comm`, 'utf8').trim())
      assert.equal(names.filter(name => name === 'libuv-worker').length, UV_THREADS)
    })
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

  test('have one priority with --worker-priority 0', async t => {
    const pid = await startApp(t, { upstream: 'main', rendering: 'string' }, 0, ['/cpu'])
    assert.deepEqual(new Set(nicesOfThreads(pid).map(([, nice]) => nice)), new Set([OWN]))
  })
})
