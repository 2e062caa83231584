import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { test } from 'node:test'
import { parseCores } from './cores.ts'

test('the list of cores that a process may use is read as the kernel writes it', () => {
  assert.deepEqual(parseCores('0-1'), [0, 1])
  assert.deepEqual(parseCores('2,4-6,9'), [2, 4, 5, 6, 9])
  assert.deepEqual(parseCores(''), [])
})

/** Keeps itself on the other cores, as the load test does that puts a stack on core 0. */
const pinned = `
import { readEnvironment } from '../outcome/environment.ts'
import { keepOnCores, readCores } from './cores.ts'
const giveCoresBack = keepOnCores({ processes: [] }, readCores(process.pid).slice(0, 1))
console.log(readCores(process.pid).length, readEnvironment().cores)
giveCoresBack()
console.log(readCores(process.pid).length)`

const all = availableParallelism()
const skip = (process.platform !== 'linux' || all < 2) && 'there is nothing to choose'
test('a machine has all of its cores also while a part of them is for the app, and afterwards', {
  skip,
}, () => {
  const flags = ['--input-type=module', '--eval', pinned]
  const said = execFileSync(process.execPath, flags, { cwd: import.meta.dirname })
  assert.equal(said.toString(), `${all - 1} ${all}\n${all}\n`)
})
