import { performance } from 'node:perf_hooks'
import { monotonicMs } from '../lib/units.ts'
import { readWakeups } from '../lib/wakeups.ts'
import type { Compute } from './concerns/compute/contract.ts'

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
  }
  /** All threads of the app and its child processes. */
  readonly total: { readonly cpuMicros: number; readonly residentBytes: number }
}

/** This must run on the main thread, because CPU time and wake-ups are read of the calling thread. */
export async function readUsage(compute: Pick<Compute, 'childUsage'>): Promise<Usage> {
  const children = await compute.childUsage()
  const thread = process.threadCpuUsage()
  const all = process.cpuUsage()
  const { active, idle } = performance.eventLoopUtilization()
  return {
    atMs: monotonicMs(),
    mainThread: {
      cpuMicros: thread.user + thread.system,
      activeMs: active,
      idleMs: idle,
      wakeups: readWakeups(),
    },
    total: {
      cpuMicros: all.user + all.system + children.cpuMicros,
      residentBytes: process.memoryUsage.rss() + children.residentBytes,
    },
  }
}
