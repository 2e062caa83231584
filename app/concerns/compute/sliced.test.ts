import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { subsetSum } from '../../../workers/subset-sum.ts'
import { createCompute } from './sliced.ts'
import { newContext, start } from './suite.fixture.ts'

/** The number of turns of the event loop until a promise is settled. */
async function countTurns(running: Promise<unknown>): Promise<number> {
  let turns = 0
  let isDone = false
  const settled = running.finally(() => {
    isDone = true
  })
  for (; !isDone; turns++) await turn()
  await settled
  return turns
}

test('the event loop turns while compute/sliced runs a task, whose output is that of the task in one piece', async t => {
  const compute = await start(t, createCompute)
  const input = { size: 17, seed: 5 }
  const running = compute.run('subsetSum', input, newContext())
  const turns = await countTurns(running)
  assert.deepEqual((await running).output, subsetSum.run(input))
  assert.ok(turns > 3, `${turns} turns`)
})

for (const [name, what, input] of [
  ['subsetSum', 'short tasks', { size: 9, seed: 1 }],
  ['trace', 'tasks in one piece', { file: '/dev/null', line: 'a line' }],
] as const)
  test(`the event loop turns between ${what} that wait in line`, async t => {
    const compute = await start(t, createCompute)
    const runs = Array.from({ length: 2000 }, () => compute.run(name, input, newContext()))
    const turns = await countTurns(Promise.all(runs))
    assert.ok(turns > 3, `${turns} turns`)
  })
