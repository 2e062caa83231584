import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { subsetSum } from '../../../workers/subset-sum.ts'
import type { Problem } from '../../problems.ts'
import { hasCode, newContext, testPromise } from '../../test-options.fixture.ts'
import type { Unkept } from './contract.ts'
import { LONG, type Start, start } from './suite.fixture.ts'

/**
 * Tests the queue of an implementation with a pool, and how its threads or processes are ended and replaced.
 * @param unkept the promises that it does not keep
 * @param skip the reason why the implementation cannot be tested here
 */
export function testPool(
  name: string,
  create: Start,
  unkept: Unkept = {},
  skip: string | false = false,
): void {
  describe(`compute/${name}, a pool`, { skip }, () => {
    test('runs tasks first in, first out', async t => {
      const compute = await start(t, create)
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

    testPromise(
      'removes a task when its client goes away, without slowing other tasks',
      unkept.leaving,
      async t => {
        const compute = await start(t, create)
        const file = join(mkdtempSync(join(tmpdir(), 'compute-')), 'trace')
        const settled: string[] = []
        const running = [1, 2].map(() =>
          compute.run('subsetSum', LONG, newContext()).then(() => settled.push('long')),
        )
        const leaving = newContext()
        const left = compute.run('trace', { file, line: 'left' }, leaving)
        const stayed = compute.run('trace', { file, line: 'stayed' }, newContext())
        leaving.abort()
        await assert.rejects(left, hasCode('CLIENT_GONE'))
        assert.deepEqual(settled, [], 'it is told at once, not when its turn comes')
        await Promise.all([...running, stayed])
        assert.equal(readFileSync(file, 'utf8'), 'stayed\n')
      },
    )

    testPromise('removes a task when its deadline passes', unkept.deadline, async t => {
      const compute = await start(t, create)
      const running = [1, 2].map(() => compute.run('subsetSum', { size: 20, seed: 1 }, newContext()))
      const late = compute.run('subsetSum', LONG, newContext({ timeoutMs: 10 }))
      const first = await Promise.race([
        late.catch((error: Problem) => error.code),
        ...running.map(run => run.then(() => 'a running task')),
      ])
      assert.equal(first, 'DEADLINE_PASSED')
      await Promise.all(running)
    })

    for (const [promise, what, dying, code, limitMs] of [
      ['time limit', 'never ends', 'loop', 'TASK_TIMEOUT', 500],
      ['memory limit', 'takes all memory', 'allocate', 'TASK_FAILED', 60_000],
      ['death', 'ends its thread or process', 'die', 'TASK_FAILED', 60_000],
    ] as const)
      testPromise(
        `fails only the request of a task that ${what}, and runs the others of its message again`,
        unkept[promise],
        async t => {
          const compute = await start(t, create, 1, limitMs)
          const run = (seed: number) => compute.run('subsetSum', { size: 8, seed }, newContext())
          // While these run, the others wait, and then travel in one message. A busy machine takes longer than the time limit for them.
          const held = limitMs < 1000 ? [] : [1, 2].map(() => compute.run('subsetSum', LONG, newContext()))
          const before = [0, 1, 2].map(run)
          const ended = compute.run(dying, {}, newContext())
          const behind = [3, 4, 5].map(run)
          await assert.rejects(ended, hasCode(code))
          await Promise.all(held)
          for (const [seed, { output }] of (await Promise.all([...before, ...behind])).entries())
            assert.deepEqual(output, subsetSum.run({ size: 8, seed }))
          assert.deepEqual((await run(9)).output, subsetSum.run({ size: 8, seed: 9 }))
        },
      )

    test('does not mistake many short tasks for a long one', async t => {
      const limitMs = 500
      const compute = await start(t, create, 1, limitMs)
      // A task that is too long is found a quarter of the limit late, at most.
      const until = Date.now() + 1.5 * limitMs
      while (Date.now() < until) await compute.run('subsetSum', { size: 12, seed: 1 }, newContext())
    })
  })
}
