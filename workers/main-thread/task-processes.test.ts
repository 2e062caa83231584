import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { monotonicMs } from '../../lib/units.ts'
import { TaskProcesses } from './task-processes.ts'

const COUNT = 10_000

async function start(t: TestContext, tasksFile = '../tasks.fixture.ts') {
  const pool = new TaskProcesses({
    threads: 1,
    workerPriority: 0,
    taskTimeoutMs: 60_000,
    workerMemoryMib: 64,
    tasksFile: join(import.meta.dirname, tasksFile),
  })
  t.after(() => pool.close())
  await pool.ready()
  const envelope = { requestId: '', traceparent: undefined, deadline: monotonicMs() + 60_000 }
  const run = async (...calls: readonly (readonly [name: string, input: unknown])[]) => {
    const jobs = calls.map(([name, input]) => ({ calls: [{ name, input, envelope }] }))
    const outcome = await pool.dispatch(jobs)
    return outcome.kind === 'lost' ? outcome : await Promise.all(outcome.replies)
  }
  return { pool, run }
}

const outputsOf = (replies: unknown) =>
  (replies as { runs: { output: unknown }[] }[]).map(({ runs }) => runs[0]?.output)

describe('a pool of processes', () => {
  test(`ignores what tasks send to their parent, also what looks like its own messages: ${COUNT} of them`, async t => {
    const { run } = await start(t, 'task-pool.fixture.ts')
    assert.deepEqual(outputsOf(await run(['postStray', COUNT])), [COUNT])
    assert.deepEqual(outputsOf(await run(['double', 2])), [4])
  })

  test('runs 200 jobs of one message in contexts of their own', async t => {
    const { run } = await start(t)
    const replies = await run(...Array.from({ length: 200 }, (_, user) => ['enter', `user ${user}`] as const))
    assert.deepEqual([...new Set(outputsOf(replies))], ['nobody'])
  })

  test('refuses a job that no message can contain, and no other', async t => {
    const { run } = await start(t)
    await assert.rejects(run(['enter', 1n]), /BigInt/)
    assert.deepEqual(outputsOf(await run(['enter', 'user'])), ['nobody'])
  })

  test('closes within a second although a task never ends, and says so', async t => {
    const { pool, run } = await start(t)
    const running = run(['loop', 0])
    await pool.close()
    assert.deepEqual(await running, {
      kind: 'lost',
      started: 1,
      timedOut: false,
      why: 'the pool was closed',
    })
  })
})
