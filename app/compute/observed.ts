import type { MetricPoint } from '../../apm-agent/protocol.ts'
import type { SignalName } from '../../apm-agent/signals.ts'
import { monotonicMs } from '../../lib/units.ts'
import type { Apm } from '../apm/contract.ts'
import type { Compute, TaskResult } from './contract.ts'

/** Compute whose every task is recorded, and whose pool is watched; the seam between the two concerns. */
export function observeTasks(compute: Compute, apm: Apm): Compute {
  const done = { tasks: 0, waitMs: 0, runMs: 0 }
  apm.watch(poolReader(compute, done))
  return {
    ...compute,
    async run(context, ...tasks) {
      const spans = tasks.map(({ name }) => apm.startTask(name, context.span))
      try {
        const traced = tasks.map((task, index) => ({ ...task, traceparent: apm.traceparent(spans[index]) }))
        const results: readonly TaskResult<unknown>[] = await compute.run(context, ...traced)
        for (const [index, result] of results.entries()) {
          apm.endTask(spans[index], result)
          done.tasks++
          done.waitMs += result.waitMs
          done.runMs += result.runMs
        }
        return results as never
      } catch (error) {
        for (const span of spans) apm.failTask(span, error as Error)
        throw error
      }
    },
  }
}

function poolReader(compute: Compute, done: { readonly tasks: number; waitMs: number; runMs: number }) {
  let last = { atMs: monotonicMs(), runMs: 0 }
  return async (): Promise<MetricPoint[]> => {
    const pool = await compute.readPool()
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
    const attributes = { 'app.pool.name': 'compute' }
    const threads = [...pool.threadCpuMicros].map(([id, micros]) => threadCpuTime(`compute-${id}`, micros))
    return [...Object.entries(readings).map(([signal, value]) => ({ signal, value, attributes })), ...threads]
  }
}

/** CPU time that a thread has used since it started. */
export const threadCpuTime = (thread: string, micros: number): MetricPoint => ({
  signal: 'app.thread.cpu.time',
  value: micros / 1e6,
  attributes: { 'thread.name': thread },
})
