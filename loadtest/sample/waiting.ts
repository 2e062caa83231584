import { readFileSync } from 'node:fs'

/** Nanoseconds since the threads started. */
export interface Waiting {
  readonly ranNs: number
  /** Time in which a thread was ready to run and waited for a core. */
  readonly waitedNs: number
}

/**
 * Adds up how long some threads ran, and how long they waited for a core. See
 * https://docs.kernel.org/scheduler/sched-stats.html, /proc/PID/schedstat: time on a core, time in the run queue,
 * number of time slices. PID may be the id of a thread.
 * @returns null when the system does not tell, or one of the threads has ended
 */
export function readWaiting(threads: readonly number[]): Waiting | null {
  try {
    return threads.map(readThread).reduce(add, { ranNs: 0, waitedNs: 0 })
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

function readThread(id: number): Waiting {
  return parseWaiting(readFileSync(`/proc/${id}/task/${id}/schedstat`, 'utf8'))
}

export function parseWaiting(schedstat: string): Waiting {
  const [ranNs = Number.NaN, waitedNs = Number.NaN] = schedstat.trim().split(' ').map(Number)
  return { ranNs, waitedNs }
}

const add = (one: Waiting, other: Waiting): Waiting => ({
  ranNs: one.ranNs + other.ranNs,
  waitedNs: one.waitedNs + other.waitedNs,
})
