import { performance } from 'node:perf_hooks'
import { monotonicMs } from '../lib/units.ts'
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
  }
  /** All threads of the app and its child processes. */
  readonly total: { readonly cpuMicros: number; readonly residentBytes: number }
}

/** This must run on the main thread, because `process.threadCpuUsage` reads the calling thread. */
export async function readUsage(compute: Compute): Promise<Usage> {
  const children = await compute.childUsage()
  const thread = process.threadCpuUsage()
  const all = process.cpuUsage()
  const { active, idle } = performance.eventLoopUtilization()
  return {
    atMs: monotonicMs(),
    mainThread: { cpuMicros: thread.user + thread.system, activeMs: active, idleMs: idle },
    total: {
      cpuMicros: all.user + all.system + children.cpuMicros,
      residentBytes: process.memoryUsage.rss() + children.residentBytes,
    },
  }
}
