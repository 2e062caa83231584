import type { ChildProcess } from 'node:child_process'
import { getPriority, setPriority } from 'node:os'
import { isMainThread } from 'node:worker_threads'

/** Whether a child process has exited, or was ended by a signal. */
export const hasEnded = ({ exitCode, signalCode }: Pick<ChildProcess, 'exitCode' | 'signalCode'>): boolean =>
  exitCode !== null || signalCode !== null

/**
 * Gives the calling thread this nice value, from 0 to 19 (the lowest priority), unless it already has a higher one. On
 * Linux each thread has its own nice value (setpriority(2), "C library/kernel differences"), and the id 0 means the
 * calling thread. Elsewhere the whole process has one value, so only the main thread of a process may set it. If the
 * system refuses, the value stays as it is.
 */
export function lowerPriority(nice: number): void {
  if (!isMainThread && process.platform !== 'linux') return
  try {
    if (nice > getPriority()) setPriority(nice)
  } catch {
    // The lower priority helps other threads, but nothing depends on it.
  }
}
