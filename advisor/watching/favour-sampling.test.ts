import assert from 'node:assert/strict'
import { execSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { askProgram, never, startNode, startProgram } from '../process/attach.fixture.ts'
import { favourMainThread } from './favour-sampling.ts'
import { watchProcess } from './watch-process.ts'

/** SCHED_OTHER and SCHED_FIFO of sched(7), in the 41st field of /proc/PID/stat. */
const [OTHER, FIFO] = ['0', '1']
const policyOf = (pid: number) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[38]

const isAllowed = spawnSync('chrt', ['-f', '1', 'true']).status === 0 && availableParallelism() > 1
const options = { skip: !isAllowed && 'only root with several cores may set a scheduling policy' }

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

test(
  'a main thread is favoured while it is profiled, unless its scheduling has to stay',
  options,
  async t => {
    const { pid = 0 } = await startProgram(t)
    const watching = { isOver: false }
    for (const keepsScheduling of [false, true]) {
      const seen = new Set<string | undefined>()
      const watched = watchProcess(pid, never(), ({ profile }) => profile(300), { keepsScheduling })
      const over = watched.finally(() => {
        watching.isOver = true
      })
      for (watching.isOver = false; !watching.isOver; await delay(5)) seen.add(policyOf(pid))
      await over
      assert.deepEqual([...seen], keepsScheduling ? [OTHER] : [OTHER, FIFO])
    }
  },
)

for (const [what, command, policy] of [
  ['of another policy keeps it', 'chrt -b -p 0', '3'],
  ['with one core only is not favoured', 'taskset -pc 0', OTHER],
] as const) {
  test(`a main thread ${what}`, options, async t => {
    const { pid = 0 } = await startProgram(t)
    execSync(`${command} ${pid}`, { stdio: 'ignore' })
    const takeBack = await favourMainThread(pid)
    assert.equal(policyOf(pid), policy)
    await takeBack()
    assert.equal(policyOf(pid), policy)
  })
}

test('what a main thread starts while it is favoured is not favoured', options, async t => {
  const text = `process.stdin.on('data', () => console.log(require('child_process').spawn('sleep', ['9']).pid))`
  const program = await startNode(t, ['--eval', `${text}\nconsole.log('ready')`])
  const takeBack = await favourMainThread(program.pid as number)
  const started = await askProgram<number>(program)
  t.after(() => process.kill(started, 'SIGKILL'))
  assert.deepEqual([policyOf(program.pid as number), policyOf(started)], [FIFO, OTHER])
  await takeBack()
})
