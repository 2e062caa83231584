import { readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'
import type { Worker } from 'node:worker_threads'

/** CPU time and memory that a process has used since it started. */
export interface ProcessUsage {
  /** User and system time of all its threads. */
  readonly cpuMicros: number
  readonly residentBytes: number
}

export function readProcessUsage(): ProcessUsage {
  const { user, system } = process.cpuUsage()
  return { cpuMicros: user + system, residentBytes: process.memoryUsage.rss() }
}

/** CPU time of threads by their ids, in microseconds. A thread that is just being replaced is left out. */
export async function readThreads(threads: readonly Worker[]): Promise<Map<number, number>> {
  const readings = await Promise.allSettled(
    threads.map(async thread => {
      const { user, system } = await thread.cpuUsage()
      return [thread.threadId, user + system] as const
    }),
  )
  return new Map(readings.flatMap(reading => (reading.status === 'fulfilled' ? [reading.value] : [])))
}

/** How long a thread had a core and how long it waited for one, as Linux counts it. */
export interface CoreTime {
  /** The time that it ran, in milliseconds since it started. */
  readonly cpuMs: number
  /** The time that it could run while other threads had all cores. Linux adds a wait when it is over. */
  readonly waitedMs: number
  /** Whether it runs or waits for a core now. */
  readonly isRunnable: boolean
}

/** The id by which Linux knows the calling thread; undefined on other systems, or where /proc may not be read. */
export function readThreadId(): number | undefined {
  try {
    return Number(basename(readlinkSync('/proc/thread-self')))
  } catch {
    return undefined
  }
}

/**
 * The times of a thread of this process, from /proc/PID/task/TID. They are read from outside, so a thread that is in native code
 * answers, too.
 * @returns undefined where the system does not tell
 */
export function readCoreTime(threadId: number | undefined): CoreTime | undefined {
  if (threadId === undefined) return undefined
  const read = (file: string) => readFileSync(`/proc/self/task/${threadId}/${file}`, 'utf8')
  try {
    const [cpuNanos, waitedNanos] = read('schedstat').split(' ').map(Number) as [number, number]
    // The state follows the name of the thread, which may contain anything.
    const isRunnable = read('stat').split(') ').at(-1)?.startsWith('R') === true
    return { cpuMs: cpuNanos / 1e6, waitedMs: waitedNanos / 1e6, isRunnable }
  } catch {
    return undefined
  }
}

/**
 * Counts how often the calling thread has slept and was woken since it started: its voluntary context switches, see
 * proc_pid_status(5). A thread that has something to do all the time is not woken; each wake-up of an idle one costs it
 * several microseconds before it does anything.
 * @returns null when the system does not tell
 */
export function readWakeups(): number | null {
  try {
    return parseWakeups(readFileSync('/proc/thread-self/status', 'utf8'))
  } catch {
    return null
  }
}

/** @param status the text of /proc/PID/task/TID/status */
export function parseWakeups(status: string): number | null {
  const found = /^voluntary_ctxt_switches:\s+(\d+)$/m.exec(status)
  return found ? Number(found[1]) : null
}
