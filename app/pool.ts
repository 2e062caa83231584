import type { MetricName, MetricPoint } from '../apm-agent/metrics.ts'
import { monotonicMs } from '../lib/units.ts'

export interface WorkTimes {
  /** Milliseconds from the call to the start. */
  readonly waitMs: number
  readonly runMs: number
}

export interface PoolReading {
  /** Number of threads or processes. */
  readonly size: number
  /** Number of jobs that wait. */
  readonly queueLength: number
  /** CPU time of each thread of this process, by thread id. */
  readonly threadCpuMicros: ReadonlyMap<number, number>
  /** Metrics that only this pool has. */
  readonly points?: readonly MetricPoint[]
}

/** A pool whose load is recorded. */
export interface Pool {
  readonly name: string
  /** The present state of the pool. Absent if the implementation has none. */
  readonly read?: (() => Promise<PoolReading>) | undefined
  /** The total work of the pool so far. */
  readonly done: { tasks: number; waitMs: number; runMs: number }
}

/** A pool that has done no work yet. */
export const createPool = (name: string, read: Pool['read']): Pool => ({
  name,
  read,
  done: { tasks: 0, waitMs: 0, runMs: 0 },
})

/** Adds one finished task to the total work. */
export function addDone({ done }: Pool, { waitMs, runMs }: WorkTimes): void {
  done.tasks++
  done.waitMs += waitMs
  done.runMs += runMs
}

/** Makes a reader of the pool's metrics. Without a pool it returns none. */
export function poolReader({ name, read, done }: Pool) {
  let last = { atMs: monotonicMs(), runMs: 0 }
  return async (): Promise<MetricPoint[]> => {
    const pool = await read?.()
    if (!pool) return []
    const now = { atMs: monotonicMs(), runMs: done.runMs }
    const possibleMs = (now.atMs - last.atMs) * pool.size
    // A pool whose workers are all on other machines may have none for a time.
    const utilization = possibleMs > 0 ? (now.runMs - last.runMs) / possibleMs : 0
    last = now
    const readings: Partial<Record<MetricName, number>> = {
      'app.pool.size': pool.size,
      'app.pool.queue.length': pool.queueLength,
      'app.pool.tasks': done.tasks,
      'app.pool.queue.wait': done.waitMs / 1000,
      'app.pool.run': done.runMs / 1000,
      'app.pool.utilization': utilization,
    }
    const attributes = { 'app.pool.name': name }
    const threads = [...pool.threadCpuMicros].map(([id, micros]) => threadCpuTime(`${name}-${id}`, micros))
    return [
      ...Object.entries(readings).map(([metric, value]) => ({ metric, value, attributes })),
      ...threads,
      ...(pool.points ?? []),
    ]
  }
}

/** CPU time that a thread has used since it started. */
export const threadCpuTime = (thread: string, micros: number): MetricPoint => ({
  metric: 'app.thread.cpu.time',
  value: micros / 1e6,
  attributes: { 'thread.name': thread },
})
