import { performance } from 'node:perf_hooks'
import { monotonicMs } from '../lib/units.ts'
import type { Compute } from './concerns/compute/contract.ts'

/** What the app has used since it started; the difference of two readings is what a window cost. */
export interface Usage {
  /** By the monotonic clock. */
  readonly atMs: number
  readonly mainThread: {
    readonly cpuMicros: number
    /** Time in the event loop's work and in its waiting. */
    readonly activeMs: number
    readonly idleMs: number
  }
  /** Every thread of the app, and the processes it started. */
  readonly total: { readonly cpuMicros: number; readonly residentBytes: number }
}

/** Must run on the main thread: `process.threadCpuUsage` reads the thread that calls it. */
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
