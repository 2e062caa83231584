import { readFileSync } from 'node:fs'

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
