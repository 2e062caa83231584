import { readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'

/** The id by which Linux knows the calling thread; undefined on other systems, or where /proc may not be read. */
export function readThreadId(): number | undefined {
  try {
    return Number(basename(readlinkSync('/proc/thread-self')))
  } catch {
    return undefined
  }
}

/**
 * The time for which a thread of this process could run and other threads had all cores, in milliseconds since it started: the
 * second number of /proc/PID/task/TID/schedstat. It is read from outside, so a thread that is in native code answers, too.
 * @returns 0 where the system does not tell
 */
export function readWaitedMs(threadId: number | undefined): number {
  if (threadId === undefined) return 0
  try {
    return Number(readFileSync(`/proc/self/task/${threadId}/schedstat`, 'utf8').split(' ')[1]) / 1e6 || 0
  } catch {
    return 0
  }
}
