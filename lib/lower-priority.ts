import { getPriority, setPriority } from 'node:os'
import { isMainThread } from 'node:worker_threads'

/**
 * Gives the calling thread this nice value, from 0 to 19 (the least), unless it has a higher one. On Linux a nice value
 * is a thread's own (setpriority(2), "C library/kernel differences"), and 0 in place of an id means the thread that calls;
 * elsewhere it is the whole process's, so that only a process's main thread may call this with an effect. What the system
 * refuses is left as it is.
 */
export function lowerPriority(nice: number): void {
  if (!isMainThread && process.platform !== 'linux') return
  try {
    if (nice > getPriority()) setPriority(nice)
  } catch {
    // Less priority is a courtesy to others; nothing depends on it.
  }
}
