import type { MetricPoint } from '../apm-agent/protocol.ts'
import type { SignalName } from '../apm-agent/signals.ts'
import { monotonicMs } from '../lib/units.ts'
import type { WorkTimes } from './concerns/apm/contract.ts'

export interface PoolReading {
  /** How many threads or processes. */
  readonly size: number
  /** How many jobs wait. */
  readonly queueLength: number
  /** CPU time of each thread of this process, by its id. */
  readonly threadCpuMicros: ReadonlyMap<number, number>
}

/** A pool that is watched. */
export interface Pool {
  readonly name: string
  /** The pool as it is now; undefined where there is none. */
  read(): Promise<PoolReading | undefined>
  /** What it has done so far. */
  readonly done: { tasks: number; waitMs: number; runMs: number }
}

/** A pool that has done nothing yet. */
export const createPool = (name: string, read: Pool['read']): Pool => ({
  name,
  read,
  done: { tasks: 0, waitMs: 0, runMs: 0 },
})

/** Adds a task that was run. */
export function addDone({ done }: Pool, { waitMs, runMs }: WorkTimes): void {
  done.tasks++
  done.waitMs += waitMs
  done.runMs += runMs
}

/** A reader of a pool's signals; it tells none where there is no pool. */
export function poolReader({ name, read, done }: Pool) {
  let last = { atMs: monotonicMs(), runMs: 0 }
  return async (): Promise<MetricPoint[]> => {
    const pool = await read()
    if (!pool) return []
    const now = { atMs: monotonicMs(), runMs: done.runMs }
    const utilization = (now.runMs - last.runMs) / ((now.atMs - last.atMs) * pool.size)
    last = now
    const readings: Partial<Record<SignalName, number>> = {
      'app.pool.size': pool.size,
      'app.pool.queue.length': pool.queueLength,
      'app.pool.tasks': done.tasks,
      'app.pool.queue.wait': done.waitMs / 1000,
      'app.pool.run': done.runMs / 1000,
      'app.pool.utilization': utilization,
    }
    const attributes = { 'app.pool.name': name }
    const threads = [...pool.threadCpuMicros].map(([id, micros]) => threadCpuTime(`${name}-${id}`, micros))
    return [...Object.entries(readings).map(([signal, value]) => ({ signal, value, attributes })), ...threads]
  }
}

/** CPU time that a thread has used since it started. */
export const threadCpuTime = (thread: string, micros: number): MetricPoint => ({
  signal: 'app.thread.cpu.time',
  value: micros / 1e6,
  attributes: { 'thread.name': thread },
})
