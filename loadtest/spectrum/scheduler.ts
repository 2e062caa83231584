import { execFileSync } from 'node:child_process'
import { readCores } from '../sample/cores.ts'
import { listThreads } from '../sample/thread-times.ts'

/** V8's name for the threads that take samples. */
const SAMPLING_THREAD = 'v8:ProfEvntProc'

/**
 * Lets threads and processes run only when nothing else needs their core (SCHED_IDLE). This takes Linux and
 * util-linux; on other systems nothing happens.
 */
export function giveWay(processIds: readonly number[], threadIds: readonly number[]): void {
  for (const id of processIds) tryRun('chrt', ['--all-tasks', '--idle', '--pid', '0', String(id)])
  for (const id of threadIds) tryRun('chrt', ['--idle', '--pid', '0', String(id)])
}

/**
 * Pins a profiled main thread and the threads that sample it to cores of their own. On the same core, a sampling
 * thread mostly runs when the main thread goes to sleep, and therefore sees it asleep: on two busy cores, a third of
 * the JavaScript was missed.
 */
export function separate(pid: number): void {
  const [mainCore, ...otherCores] = readCores(pid)
  if (mainCore === undefined || otherCores.length === 0) return
  for (const id of listThreads(pid, SAMPLING_THREAD)) {
    tryRun('chrt', ['--other', '--pid', '0', String(id)])
    tryRun('taskset', ['--cpu-list', '--pid', otherCores.join(), String(id)])
  }
  tryRun('taskset', ['--cpu-list', '--pid', String(mainCore), String(pid)])
}

/** A profile can be taken without pinning too; `unattributed` then says how much it missed. */
function tryRun(command: string, args: readonly string[]): void {
  try {
    execFileSync(command, args, { stdio: 'ignore' })
  } catch {
    // The profile is taken as it is.
  }
}
