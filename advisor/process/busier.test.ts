import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { options } from './attach.fixture.ts'
import { watchDescendants } from './busier.ts'

/** Prints its id after it has used 300 ms of CPU time, and ends with its parent. */
const WORKER = `while (process.cpuUsage().user < 300_000);
console.log(process.pid)
process.stdin.resume()`

/** Starts a worker for each line that it gets. */
const PRIMARY = `const { spawn } = require('node:child_process')
const stdio = ['pipe', 'inherit', 'inherit']
process.stdin.on('data', () => spawn(process.execPath, ['--eval', ${JSON.stringify(WORKER)}], { stdio }))
console.log('ready')`

test('a process that only starts others is told from the one that does the work', options, async t => {
  const primary = spawn(process.execPath, ['--eval', PRIMARY], { stdio: ['pipe', 'pipe', 'inherit'] })
  t.after(() => primary.kill())
  await once(primary.stdout, 'data')
  const findBusier = watchDescendants(primary.pid as number)
  assert.equal(findBusier(), undefined)
  primary.stdin.write('.')
  const [worker] = await once(primary.stdout, 'data')
  const { pid, cpuMicros, ownMicros } = findBusier() ?? assert.fail('the worker is not found')
  assert.equal(pid, Number(worker))
  assert.ok(cpuMicros > 2 * ownMicros)
})
