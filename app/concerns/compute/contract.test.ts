import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import type { LogFields } from '../../../lib/log-line.ts'
import { monotonicMs } from '../../../lib/units.ts'
import { subsetSum } from '../../../workers/subset-sum.ts'
import { type Implementation, implementations } from '../../concerns.ts'
import { RequestContext, requestContext } from '../../context.ts'
import type { Problem } from '../../problems.ts'
import { loggerOf } from '../logging/logger-of.ts'
import type { TaskResult } from './contract.ts'
import { computesHere } from './here.fixture.ts'

const FIXTURE = join(import.meta.dirname, '../../../workers/tasks.fixture.ts')
/** The task is long enough that other work has to wait meanwhile. */
const LONG = { size: 17, seed: 1 }

function newContext({ timeoutMs = 60_000, requestId = 'a-request' } = {}): RequestContext {
  return new RequestContext(requestId, monotonicMs() + timeoutMs)
}

const WORKER_MEMORY_MIB = 64

async function start(t: TestContext, name: Implementation<'compute'>, threads = 1, taskTimeoutMs = 60_000) {
  const logged: string[] = []
  const log = (message: string, fields?: LogFields) =>
    logged.push(`${requestContext.getStore()?.requestId}: ${message} ${JSON.stringify(fields)}`)
  const logger = loggerOf(() => log)
  const { createCompute } = await implementations.compute[name]()
  const compute = await createCompute({
    threads,
    workerPriority: 0,
    taskTimeoutMs,
    workerMemoryMib: WORKER_MEMORY_MIB,
    tasksFile: FIXTURE,
    logger,
  })
  t.after(() => compute.close())
  return {
    logged,
    runAll: compute.run,
    run: async (name: string, input: unknown, context: RequestContext) =>
      (await compute.run(context, { name, input }))[0] as TaskResult,
  }
}

/** Implementations without a pool, and why they have none. */
const poolless: Readonly<Record<string, string>> = { inline: 'the main thread computes at once' }

const hasCode = (code: string) => (error: unknown) => (error as Problem).code === code

for (const name of computesHere) {
  describe(`compute/${name}`, () => {
    test('returns the output of the task, and its waiting and running time', async t => {
      const compute = await start(t, name)
      const { output, waitMs, runMs } = await compute.run('subsetSum', { size: 8, seed: 3 }, newContext())
      assert.deepEqual(output, subsetSum.run({ size: 8, seed: 3 }))
      assert.ok(waitMs >= 0 && runMs > 0, `waited ${waitMs} ms, ran ${runMs} ms`)
    })

    test('gives each of 200 concurrent requests the answer to its own seed', async t => {
      const compute = await start(t, name, 2)
      const seeds = Array.from({ length: 200 }, (_, seed) => seed)
      const results = await Promise.all(
        seeds.map(seed => compute.run('subsetSum', { size: 9, seed }, newContext())),
      )
      const expected = seeds.map(seed => subsetSum.run({ size: 9, seed }))
      assert.deepEqual(
        results.map(({ output }) => output),
        expected,
      )
    })

    test('runs tasks that are given together one after the other', async t => {
      const compute = await start(t, name)
      const problems = [8, 9, 10].map(size => ({ size, seed: 3 }))
      const results = await compute.runAll(
        newContext(),
        ...problems.map(input => ({ name: 'subsetSum', input })),
      )
      assert.deepEqual(
        results.map(({ output }) => output),
        problems.map(subsetSum.run),
      )
      const waits = results.map(({ waitMs }) => waitMs)
      assert.deepEqual(
        waits,
        waits.toSorted((a, b) => a - b),
      )
    })

    test('fails all tasks of a request when one of them throws', async t => {
      const compute = await start(t, name)
      const both = compute.runAll(
        newContext(),
        { name: 'subsetSum', input: LONG },
        { name: 'fail', input: {} },
      )
      await assert.rejects(both, hasCode('TASK_FAILED'))
    })

    test('writes the log lines of a task with the id of its request, also when the task throws', async t => {
      const compute = await start(t, name)
      const runs = ['a', 'b', 'c'].map(requestId => compute.run('note', requestId, newContext({ requestId })))
      await Promise.all(runs)
      await assert.rejects(compute.run('fail', {}, newContext({ requestId: 'd' })))
      assert.deepEqual(compute.logged.sort(), [
        'a: noted {"what":"a"}',
        'b: noted {"what":"b"}',
        'c: noted {"what":"c"}',
        'd: about to fail {}',
      ])
    })

    test('fails the request whose task throws, and no other', async t => {
      const compute = await start(t, name)
      const failing = compute.run('fail', {}, newContext())
      const neighbour = compute.run('subsetSum', { size: 8, seed: 1 }, newContext())
      await assert.rejects(failing, hasCode('TASK_FAILED'))
      assert.deepEqual((await neighbour).output, subsetSum.run({ size: 8, seed: 1 }))
    })

    test('does not start a task whose client is gone', async t => {
      const compute = await start(t, name)
      const context = newContext()
      context.leave()
      await assert.rejects(compute.run('subsetSum', LONG, context), hasCode('CLIENT_GONE'))
    })

    test('does not start a task whose deadline has passed', async t => {
      const compute = await start(t, name)
      await assert.rejects(
        compute.run('subsetSum', LONG, newContext({ timeoutMs: -1 })),
        hasCode('DEADLINE_PASSED'),
      )
    })
  })
}

/**
 * `inline` is left out: it has no queue, and no thread or process that could die or be ended apart from the app. Its
 * tasks run as soon as they are called, without a limit of time or memory.
 */
for (const name of computesHere.filter(each => !(each in poolless))) {
  describe(`compute/${name}, a pool`, () => {
    test('runs tasks first in, first out', async t => {
      const compute = await start(t, name)
      const order: number[] = []
      const runs = Array.from({ length: 20 }, (_, index) =>
        compute.run('subsetSum', { size: 10, seed: index }, newContext()).then(() => order.push(index)),
      )
      await Promise.all(runs)
      assert.deepEqual(
        order,
        runs.map((_, index) => index),
      )
    })

    test('removes a task when its client goes away, without slowing other tasks', async t => {
      const compute = await start(t, name)
      const file = join(mkdtempSync(join(tmpdir(), 'compute-')), 'trace')
      const settled: string[] = []
      const running = [1, 2].map(() =>
        compute.run('subsetSum', LONG, newContext()).then(() => settled.push('long')),
      )
      const leaving = newContext()
      const left = compute.run('trace', { file, line: 'left' }, leaving)
      const stayed = compute.run('trace', { file, line: 'stayed' }, newContext())
      leaving.leave()
      await assert.rejects(left, hasCode('CLIENT_GONE'))
      assert.deepEqual(settled, [], 'it is told at once, not when its turn comes')
      await Promise.all([...running, stayed])
      assert.equal(readFileSync(file, 'utf8'), 'stayed\n')
    })

    test('removes a task when its deadline passes', async t => {
      const compute = await start(t, name)
      const running = [1, 2].map(() => compute.run('subsetSum', { size: 20, seed: 1 }, newContext()))
      const late = compute.run('subsetSum', LONG, newContext({ timeoutMs: 10 }))
      const first = await Promise.race([
        late.catch((error: Problem) => error.code),
        ...running.map(run => run.then(() => 'a running task')),
      ])
      assert.equal(first, 'DEADLINE_PASSED')
      await Promise.all(running)
    })

    test('runs the jobs again that were in one message with a task that died, before and after it', async t => {
      const compute = await start(t, name)
      const run = (seed: number) => compute.run('subsetSum', { size: 8, seed }, newContext())
      const running = [1, 2].map(() => compute.run('subsetSum', LONG, newContext()))
      const before = [0, 1, 2].map(run)
      const dying = compute.run('die', {}, newContext())
      const behind = [3, 4, 5].map(run)
      await assert.rejects(dying, hasCode('TASK_FAILED'))
      await Promise.all(running)
      for (const [seed, { output }] of (await Promise.all([...before, ...behind])).entries())
        assert.deepEqual(output, subsetSum.run({ size: 8, seed }))
    })

    for (const [what, dying, code, limitMs] of [
      ['never ends', 'loop', 'TASK_TIMEOUT', 500],
      ['takes all memory', 'allocate', 'TASK_FAILED', 60_000],
    ] as const) {
      test(`ends a task that ${what}, fails only its request, and restores the pool`, async t => {
        const compute = await start(t, name, 1, limitMs)
        const run = (seed: number) => compute.run('subsetSum', { size: 8, seed }, newContext())
        const before = [0, 1, 2].map(run)
        const ended = compute.run(dying, {}, newContext())
        const behind = [3, 4, 5].map(run)
        await assert.rejects(ended, hasCode(code))
        for (const [seed, { output }] of (await Promise.all([...before, ...behind])).entries())
          assert.deepEqual(output, subsetSum.run({ size: 8, seed }))
      })
    }

    test('does not mistake many short tasks for a long one', async t => {
      const limitMs = 500
      const compute = await start(t, name, 1, limitMs)
      const until = Date.now() + 2 * limitMs
      while (Date.now() < until) await compute.run('subsetSum', { size: 12, seed: 1 }, newContext())
    })

    test('fails only the running task when its thread or process dies, and restores the pool', async t => {
      const compute = await start(t, name)
      const dying = compute.run('die', {}, newContext())
      const waiting = Array.from({ length: 5 }, (_, seed) =>
        compute.run('subsetSum', { size: 8, seed }, newContext()),
      )
      await assert.rejects(dying, hasCode('TASK_FAILED'))
      for (const [seed, { output }] of (await Promise.all(waiting)).entries()) {
        assert.deepEqual(output, subsetSum.run({ size: 8, seed }))
      }
      await assert.rejects(compute.run('die', {}, newContext()), hasCode('TASK_FAILED'))
      const { output } = await compute.run('subsetSum', { size: 8, seed: 9 }, newContext())
      assert.deepEqual(output, subsetSum.run({ size: 8, seed: 9 }))
    })
  })
}
