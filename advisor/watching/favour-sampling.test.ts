import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { startProgram } from '../process/attach.fixture.ts'
import { favourMainThread } from './favour-sampling.ts'

/** SCHED_OTHER and SCHED_FIFO of sched(7), in the 41st field of /proc/PID/stat. */
const [OTHER, FIFO] = ['0', '1']
const policyOf = (pid: number) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[38]

const isAllowed = spawnSync('chrt', ['-f', '1', 'true']).status === 0 && availableParallelism() > 1
const options = { skip: !isAllowed && 'only root with several cores may set a scheduling policy' }

test('a main thread is favoured until that is taken back', options, async t => {
  const { pid = 0 } = await startProgram(t)
  const takeBack = await favourMainThread(pid)
  assert.equal(policyOf(pid), FIFO)
  await takeBack()
  assert.equal(policyOf(pid), OTHER)
})

test(
  'a main thread is favoured no longer when the process that favours it has been killed',
  options,
  async t => {
    const { pid = 0 } = await startProgram(t)
    const module = JSON.stringify(join(import.meta.dirname, 'favour-sampling.ts'))
    const text = `const { favourMainThread } = await import(${module})\nawait favourMainThread(${pid})\nconsole.log('favoured')`
    const favouring = spawn(process.execPath, ['--input-type=module', '--eval', text])
    await once(favouring.stdout, 'data')
    assert.equal(policyOf(pid), FIFO)
    favouring.kill('SIGKILL')
    while (policyOf(pid) !== OTHER) await delay(5)
  },
)
