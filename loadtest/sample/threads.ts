import { readdirSync, readFileSync } from 'node:fs'
import { parseWakeups } from '../../lib/os/usage.ts'

/** Nanoseconds since the threads started. */
export interface Waiting {
  readonly ranNs: number
  /** Time in which a thread was ready to run and waited for a core. */
  readonly waitedNs: number
}

/**
 * How long some threads ran, and waited for a core. See https://docs.kernel.org/scheduler/sched-stats.html,
 * /proc/PID/schedstat: time on a core, time in the run queue. PID may be the id of a thread.
 * @returns null when the system does not tell, or one of the threads has ended
 */
export function readWaiting(ids: readonly number[]): Waiting | null {
  try {
    const threads = ids.map(id => parseWaiting(readFileSync(`/proc/${id}/task/${id}/schedstat`, 'utf8')))
    const sum = (key: keyof Waiting) => threads.reduce((total, thread) => total + thread[key], 0)
    return { ranNs: sum('ranNs'), waitedNs: sum('waitedNs') }
  } catch {
    return null
  }
}

/** Milliseconds that the threads waited for a core, for each millisecond that they ran; null when they did not run. */
export function waitRatioOf(before: Waiting | null, after: Waiting | null): number | null {
  if (!before || !after) return null
  const ranNs = after.ranNs - before.ranNs
  return ranNs > 0 ? (after.waitedNs - before.waitedNs) / ranNs : null
}

export function parseWaiting(schedstat: string): Waiting {
  const [ranNs = Number.NaN, waitedNs = Number.NaN] = schedstat.trim().split(' ').map(Number)
  return { ranNs, waitedNs }
}

/** The ids of the threads of a process that have this name. Empty on systems without /proc. */
export function listThreads(pid: number, name: string): number[] {
  try {
    return readThreads(pid).flatMap(({ id, thread }) => (thread === name ? [id] : []))
  } catch {
    return []
  }
}

/** Reads the threads of a process, see proc_pid_task(5). Leaves out threads that end meanwhile. */
export const readThreads = (pid: number) =>
  readdirSync(`/proc/${pid}/task`).flatMap(id => {
    try {
      return [readThread(pid, Number(id))]
    } catch {
      return []
    }
  })

/** Name, CPU time and number of wake-ups of a thread, see proc_pid_status(5) and {@link readWaiting}. */
export function readThread(pid: number, id: number) {
  const file = (name: string) => readFileSync(`/proc/${pid}/task/${id}/${name}`, 'utf8')
  const { ranNs } = parseWaiting(file('schedstat'))
  return { id, thread: file('comm').trim(), ranNs, wakeups: parseWakeups(file('status')) }
}
