import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { subsetSum } from '../../../workers/subset-sum.ts'
import { createCompute } from './sliced.ts'
import { newContext, start } from './suite.fixture.ts'

test('the event loop turns while compute/sliced runs a task, whose output is that of the task in one piece', async t => {
  const compute = await start(t, createCompute)
  const input = { size: 17, seed: 5 }
  let turns = 0
  let isDone = false
  const running = compute.run('subsetSum', input, newContext()).finally(() => {
    isDone = true
  })
  while (!isDone) {
    await turn()
    turns++
  }
  assert.deepEqual((await running).output, subsetSum.run(input))
  assert.ok(turns > 3, `${turns} turns`)
})
