import assert from 'node:assert/strict'
import { AsyncResource } from 'node:async_hooks'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { type LogFields, loggerOf } from '../../../lib/telemetry/logger.ts'
import { subsetSum } from '../../../workers/subset-sum.ts'
import { type RequestContext, requestContext } from '../../context.ts'
import type { Problem } from '../../problems.ts'
import { type Closing, hasCode, newContext, startOnce } from '../../test-options.fixture.ts'
import type { Compute, ComputeOptions, TaskResult } from './contract.ts'

const FIXTURE = join(import.meta.dirname, '../../../workers/tasks.fixture.ts')
/** The task is long enough that other work has to wait meanwhile. */
export const LONG = { size: 17, seed: 1 }

const WORKER_MEMORY_MIB = 64

/** Starts an implementation with the tasks of the fixture. */
export type Start = (options: ComputeOptions & Record<string, unknown>) => Promise<Compute>

export async function start(t: Closing, create: Start, threads = 1, taskTimeoutMs = 60_000) {
  const logged: string[] = []
  const log = (message: string, fields?: LogFields) =>
    logged.push(`${requestContext.getStore()?.requestId}: ${message} ${JSON.stringify(fields)}`)
  const compute = await create({
    threads,
    workerPriority: 0,
    taskTimeoutMs,
    workerMemoryMib: WORKER_MEMORY_MIB,
    tasksFile: FIXTURE,
    logger: loggerOf(() => log),
  })
  t.after(() => compute.close())
  return {
    logged,
    runAll: compute.run,
    run: async (name: string, input: unknown, context: RequestContext) =>
      (await compute.run(context, { name, input }))[0] as TaskResult,
  }
}

/**
 * Tests that every implementation of compute keeps its contract.
 * @param skip the reason why the implementation cannot be tested here
 */
export function testCompute(name: string, create: Start, skip: string | false = false): void {
  describe(`compute/${name}`, { skip }, () => {
    const started = startOnce(suite => start(suite, create))

    test('returns the output of the task, and its waiting and running time', async () => {
      const compute = started()
      const { output, waitMs, runMs } = await compute.run('subsetSum', { size: 8, seed: 3 }, newContext())
      assert.deepEqual(output, subsetSum.run({ size: 8, seed: 3 }))
      assert.ok(waitMs >= 0 && runMs > 0, `waited ${waitMs} ms, ran ${runMs} ms`)
    })

    test('runs an asynchronous task, or says that it cannot', async () => {
      const outcome = await started()
        .run('later', {}, newContext())
        .then(
          ({ output }) => output,
          ({ code, cause }: Problem) => `${code}: ${cause}`,
        )
      assert.match(String(outcome), /^(later|TASK_FAILED: an asynchronous task)/)
    })

    for (const name of ['fail', 'failWithBigInt', 'throwNoText'])
      test(`fails a request whose task throws, whatever it throws, and no other: ${name}`, async () => {
        const compute = started()
        const failing = compute.run(name, {}, newContext())
        const neighbour = compute.run('subsetSum', { size: 8, seed: 1 }, newContext())
        const reason = (error: Problem) => error.code === 'TASK_FAILED' && !/died/.test(String(error.cause))
        await assert.rejects(failing, reason)
        assert.deepEqual((await neighbour).output, subsetSum.run({ size: 8, seed: 1 }))
      })

    test('keeps 200 concurrent requests apart: their answers, and their contexts, whatever others enter', async t => {
      const compute = await start(t, create, 2)
      const seeds = Array.from({ length: 200 }, (_, seed) => seed)
      const results = await Promise.all(
        seeds.map(async seed => {
          const entered = new AsyncResource('user').runInAsyncScope(() =>
            compute.run('enter', `user ${seed}`, newContext()),
          )
          const { output } = await compute.run('subsetSum', { size: 9, seed }, newContext())
          return [output, (await entered).output]
        }),
      )
      assert.deepEqual(
        results,
        seeds.map(seed => [subsetSum.run({ size: 9, seed }), 'nobody']),
      )
    })

    test('runs tasks that are given together one after the other', async () => {
      const compute = started()
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

    test('fails all tasks of a request when one of them throws', async () => {
      const compute = started()
      const both = compute.runAll(
        newContext(),
        { name: 'subsetSum', input: LONG },
        { name: 'fail', input: {} },
      )
      await assert.rejects(both, hasCode('TASK_FAILED'))
    })

    test('writes the log lines of a task with the id of its request, also when the task throws', async () => {
      const compute = started()
      compute.logged.length = 0
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

    for (const [what, code, leave, timeoutMs] of [
      ['client is gone', 'CLIENT_GONE', true, 60_000],
      ['deadline has passed', 'DEADLINE_PASSED', false, -1],
    ] as const)
      test(`does not start a task whose ${what}`, async () => {
        const context = newContext({ timeoutMs })
        if (leave) context.abort()
        await assert.rejects(started().run('subsetSum', LONG, context), hasCode(code))
      })
  })
}
