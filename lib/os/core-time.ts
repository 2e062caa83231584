import { readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'

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
