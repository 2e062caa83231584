import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { test } from 'node:test'
import { shareOutCores } from './keep-apart.ts'

test('the main thread has a core of its own, and the load has one where there are three', () => {
  assert.deepEqual(shareOutCores([4, 5]), { mainThread: [4], pools: [5], load: [5] })
  assert.deepEqual(shareOutCores([0, 1, 2]), { mainThread: [0], pools: [1], load: [2] })
  assert.deepEqual(shareOutCores([0, 1, 2, 3]), { mainThread: [0], pools: [1, 2], load: [3] })
  for (const few of [[], [0]]) assert.throws(() => shareOutCores(few), /--pin needs two cores/)
})

/** Keeps itself apart as if it were the app and the load test in one: the cores of its threads, the main thread first. */
const apart = `
import { readdirSync, readFileSync } from 'node:fs'
import { keepApart } from './keep-apart.ts'
keepApart({ processes: [{ name: 'app', pid: process.pid }] }, {})
const coresOf = id => /Cpus_allowed_list:\\s*(\\S+)/.exec(readFileSync('/proc/self/task/' + id + '/status', 'utf8'))[1]
const others = readdirSync('/proc/self/task').filter(id => id !== String(process.pid))
console.log([coresOf(process.pid), ...new Set(others.map(coresOf))].join(' '))`

const skip = (process.platform !== 'linux' || availableParallelism() !== 2) && 'no machine of two cores'
test('the threads of the app are kept apart from its main thread', { skip }, () => {
  const flags = ['--input-type=module', '--eval', apart]
  const said = execFileSync(process.execPath, flags, { cwd: import.meta.dirname })
  assert.match(said.toString(), /^(\d+) (?!\1\n)\d+\n$/)
})
