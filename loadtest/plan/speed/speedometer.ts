import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { UserError } from '../../../lib/user-error.ts'
import { pin } from '../../sample/cores.ts'
import type { Probe } from '../../sample/probe.ts'
import type { WorkDone } from './constant-work.ts'

/** CPU microseconds that a task of constant work took on each core in a window: the more, the slower the core. */
export type WorkMicros = ReadonlyMap<number, number>

/** Does constant work on each core, and so measures how fast it is. */
export interface Speedometer {
  /** Measures the cores while the window of one sample is open; `read` tells how fast they were, once it has closed. */
  watch(): { readonly probe: Probe; readonly read: () => WorkMicros }
  stop(): void
}

/**
 * Starts a process on each of these cores that does a task of the service ten times a second. The host of a virtual machine
 * may make its cores faster or slower by half within minutes, and all CPU times with them.
 * @throws UserError when the system cannot pin processes
 */
export function startSpeedometer(cores: readonly number[]): Speedometer {
  const processes = cores.map(startOn)
  const stop = () => {
    for (const { child } of processes) child.kill('SIGKILL')
  }
  try {
    for (const { core, child } of processes) pin(child.pid as number, [core])
  } catch (error) {
    stop()
    throw error
  }
  return { watch: () => watch(processes), stop }
}

type CoreProcess = ReturnType<typeof startOn>

function startOn(core: number) {
  const child = fork(join(import.meta.dirname, 'constant-work.ts'))
  return { core, child, ended: once(child, 'exit').then(() => []) }
}

function watch(processes: readonly CoreProcess[]): ReturnType<Speedometer['watch']> {
  const readAll = () => Promise.all(processes.map(readDone))
  let before: readonly WorkDone[] = []
  let after: readonly WorkDone[] = []
  return {
    probe: {
      async opened() {
        before = await readAll()
      },
      async closed() {
        after = await readAll()
      },
    },
    read: () =>
      new Map(
        processes.map(({ core }, index) => [
          core,
          microsOf(before[index] as WorkDone, after[index] as WorkDone),
        ]),
      ),
  }
}

async function readDone({ core, child, ended }: CoreProcess): Promise<WorkDone> {
  child.send('read', () => {})
  const [done] = await Promise.race([once(child, 'message'), ended])
  if (!done)
    throw new UserError(`the process that measures the speed of core ${core} has ended; go on with --resume`)
  return done
}

const microsOf = (before: WorkDone, after: WorkDone): number =>
  (after.micros - before.micros) / (after.tasks - before.tasks)
