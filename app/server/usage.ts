import { PerformanceObserver, performance } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import { type ProcessUsage, readProcessUsage, readWakeups } from '../../lib/os/usage.ts'
import { monotonicMs } from '../../lib/units.ts'
import type { Operated } from './operated.ts'

/**
 * CPU time and memory that the app has used since it started. The difference of two readings is the cost of a window.
 */
export interface Usage {
  /** The time of the reading by the monotonic clock, in milliseconds. */
  readonly atMs: number
  readonly mainThread: {
    readonly cpuMicros: number
    /** Milliseconds in which the event loop worked, and in which it waited. */
    readonly activeMs: number
    readonly idleMs: number
    /** How often the thread slept and was woken; null when the system does not tell. */
    readonly wakeups: number | null
    /** Bytes that JavaScript allocated on the heap; null when this version of Node.js does not tell. */
    readonly allocatedBytes: number | null
  }
  /** All threads of the app and its child processes. */
  readonly total: ProcessUsage
  /** Number of restarts of instances, whose usage until then is in no sum; absent if the app is one process. */
  readonly restarts?: number
}

/** This must run on the main thread, because CPU time and wake-ups are read of the calling thread. */
export async function readUsage(compute?: Pick<Operated, 'childUsage'>): Promise<Usage> {
  const children = await compute?.childUsage?.()
  const thread = process.threadCpuUsage()
  const all = readProcessUsage()
  const { active, idle } = performance.eventLoopUtilization()
  return {
    atMs: monotonicMs(),
    mainThread: {
      cpuMicros: thread.user + thread.system,
      activeMs: active,
      idleMs: idle,
      wakeups: readWakeups(),
      allocatedBytes: getHeapStatistics().total_allocated_bytes ?? null,
    },
    total: {
      cpuMicros: all.cpuMicros + (children?.cpuMicros ?? 0),
      residentBytes: all.residentBytes + (children?.residentBytes ?? 0),
    },
  }
}

let collections: { count: number; pausedMs: number } | undefined

/**
 * The garbage collections of the main thread since the first call: only an app that somebody measures or watches pays for
 * counting them.
 */
export function watchCollections(): { readonly count: number; readonly pausedMs: number } {
  if (collections) return collections
  const watched = { count: 0, pausedMs: 0 }
  const observer = new PerformanceObserver(list => {
    for (const { duration } of list.getEntries()) {
      watched.count++
      watched.pausedMs += duration
    }
  })
  observer.observe({ entryTypes: ['gc'] })
  collections = watched
  return watched
}
