import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { UserError } from '../../../lib/user-error.ts'
import { pin } from '../../sample/cores.ts'
import type { Probe } from '../../sample/probe.ts'
import type { WorkDone } from './constant-work.ts'

/** CPU microseconds that a task of constant work took on each core in a window: the more, the slower the core. */
export type WorkMicros = ReadonlyMap<number, number>

/** Measures how fast each core is while the window of a sample is open. */
export interface Speedometer {
  /** Is told when the window opens and closes. */
  readonly probe: Probe
  /** What was measured in the newest window. */
  read(): WorkMicros
  stop(): void
}

/**
 * Starts a process on each of these cores that does a task of the service ten times a second. The host of a virtual machine
 * may make its cores faster or slower by half within minutes, and all CPU times with them.
 * @throws UserError when the system cannot pin processes
 */
export function startSpeedometer(cores: readonly number[]): Speedometer {
  const workers = cores.map(startOn)
  const stop = () => {
    for (const { process } of workers) process.kill('SIGKILL')
  }
  try {
    for (const { core, process } of workers) pin(process.pid as number, [core])
  } catch (error) {
    stop()
    throw error
  }
  const readAll = async () => new Map(await Promise.all(workers.map(readDone)))
  let opened: ReadonlyMap<number, WorkDone> = new Map()
  let measured: WorkMicros = new Map()
  return {
    probe: {
      appNodeFlags: [],
      async attach() {},
      async opened() {
        opened = await readAll()
      },
      async closed() {
        const closed = await readAll()
        measured = new Map(
          cores.map(core => [core, microsOf(opened.get(core) as WorkDone, closed.get(core) as WorkDone)]),
        )
      },
      detach() {},
    },
    read: () => measured,
    stop,
  }
}

function startOn(core: number) {
  const process = fork(join(import.meta.dirname, 'constant-work.ts'))
  return { core, process, ended: once(process, 'exit').then(() => []) }
}

async function readDone({ core, process, ended }: ReturnType<typeof startOn>): Promise<[number, WorkDone]> {
  process.send('read', () => {})
  const [done] = await Promise.race([once(process, 'message'), ended])
  if (!done)
    throw new UserError(`the process that measures the speed of core ${core} has ended; go on with --resume`)
  return [core, done]
}

const microsOf = (before: WorkDone, after: WorkDone): number =>
  (after.micros - before.micros) / (after.tasks - before.tasks)
