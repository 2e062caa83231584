import { readdirSync, readFileSync } from 'node:fs'
import { UserError } from '../../../lib/cli/user-error.ts'
import { parseWakeups } from '../../../lib/os/wakeups.ts'
import { listDescendants } from '../../sample/machine.ts'
import { parseWaiting } from '../../sample/waiting.ts'

/** The use of threads: how long they ran, and how often they slept and were woken. */
export interface Use {
  readonly cpuMs: number
  readonly wakeups: number
}

/** The use of one process, and of the processes that it has started, since their start. */
export interface ProcessUse {
  readonly mainThread: Use
  readonly allThreads: Use
}

const NOTHING: Use = { cpuMs: 0, wakeups: 0 }

/**
 * Reads a process and its child processes, see proc_pid_status(5) and
 * https://docs.kernel.org/scheduler/sched-stats.html.
 * @throws when the system has no /proc with schedstat, or the process has ended
 */
export function readProcess(pid: number): ProcessUse {
  const processes = [pid, ...listDescendants(pid)]
  return {
    mainThread: readThread(pid, pid),
    allThreads: processes.flatMap(each => readThreads(each)).reduce(add, NOTHING),
  }
}

/** @throws UserError when the system does not tell how much a thread uses */
export function requireProc(command: string): void {
  try {
    readProcess(process.pid)
  } catch {
    throw new UserError(
      `the command ${command} reads the wake-ups of threads from /proc, which only Linux has`,
    )
  }
}

/** Makes a value for each amount of a process. */
export function forEachAmount<T>(value: (which: keyof ProcessUse, of: keyof Use) => T) {
  const amounts = (which: keyof ProcessUse) => ({
    cpuMs: value(which, 'cpuMs'),
    wakeups: value(which, 'wakeups'),
  })
  return { mainThread: amounts('mainThread'), allThreads: amounts('allThreads') }
}

/** The use between two readings, for each second. */
export const perSecond = (before: ProcessUse, after: ProcessUse, seconds: number): ProcessUse =>
  forEachAmount((which, of) => (after[which][of] - before[which][of]) / seconds)

/** Leaves out threads that end meanwhile. */
function readThreads(pid: number): Use[] {
  return readdirSync(`/proc/${pid}/task`).flatMap(thread => {
    try {
      return [readThread(pid, Number(thread))]
    } catch {
      return []
    }
  })
}

function readThread(pid: number, thread: number): Use {
  const read = (file: string) => readFileSync(`/proc/${pid}/task/${thread}/${file}`, 'utf8')
  return {
    cpuMs: parseWaiting(read('schedstat')).ranNs / 1e6,
    wakeups: parseWakeups(read('status')) ?? 0,
  }
}

const add = (one: Use, other: Use): Use => ({
  cpuMs: one.cpuMs + other.cpuMs,
  wakeups: one.wakeups + other.wakeups,
})
