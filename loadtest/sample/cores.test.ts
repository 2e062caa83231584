import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { test } from 'node:test'
import { countCores, MOST_CORES, parseCores } from './cores.ts'

test('the list of cores that a process may use is read as the kernel writes it', () => {
  assert.deepEqual(parseCores('0-1'), [0, 1])
  assert.deepEqual(parseCores('2,4-6,9'), [2, 4, 5, 6, 9])
  assert.deepEqual(parseCores(''), [])
})

test('all cores are used unless so many are given, or an app cannot use them', () => {
  assert.equal(countCores(undefined, 8), 8)
  assert.equal(countCores(4, 8), 4)
  assert.equal(countCores(MOST_CORES, 96), MOST_CORES)
  assert.throws(() => countCores(undefined, 96), {
    message: 'of 96 cores an app can use 64; say how many with --cores',
  })
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
