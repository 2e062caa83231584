import type { MetricName, MetricPoint } from '../../apm-agent/metrics.ts'
import type { Apm } from '../concerns/apm/contract.ts'
import type { Rendering } from '../concerns/rendering/contract.ts'
import type { WorkTimes } from '../context.ts'
import type { TaskRecorder } from '../tasks.ts'
import type { Operated, PoolReading } from './operated.ts'

export interface Pool {
  readonly name: string
  /** The present state of the pool. Absent if the implementation has none. */
  readonly read?: (() => Promise<PoolReading>) | undefined
  readonly done: { tasks: number; waitMs: number; runMs: number }
}

interface Watched {
  readonly apm: Pick<Apm, 'watch'>
  readonly compute: { readonly recorder: TaskRecorder; readonly operated?: Operated }
  readonly rendering: Rendering
}

/** Adds up the work of tasks and pages, and makes metrics of it, of their pools and of the main thread. */
export function watchPools({ apm, compute, rendering }: Watched): Record<'compute' | 'rendering', Pool> {
  const pools = {
    compute: createPool('compute', compute.operated?.readPool),
    rendering: createPool('rendering', rendering.operated?.readPool),
  }
  const { recorder } = compute
  const { end } = recorder
  recorder.end = (spans, results) => {
    end(spans, results)
    for (const times of results) addDone(pools.compute, times)
  }
  const { render } = rendering
  rendering.render = page =>
    render({
      ...page,
      onEnd(times) {
        addDone(pools.rendering, times)
        page.onEnd(times)
      },
    })
  apm.watch(async () => {
    // `process.threadCpuUsage` reads the thread that calls it, which serves requests.
    const { user, system } = process.threadCpuUsage()
    return [threadCpuTime('main', user + system)]
  })
  for (const pool of Object.values(pools)) apm.watch(poolReader(pool))
  return pools
}

const createPool = (name: string, read: Pool['read']): Pool => ({
  name,
  read,
  done: { tasks: 0, waitMs: 0, runMs: 0 },
})

function addDone({ done }: Pool, { waitMs, runMs }: WorkTimes): void {
  done.tasks++
  done.waitMs += waitMs
  done.runMs += runMs
}

/** Makes a reader of the pool's metrics. Without a pool it returns none. */
function poolReader({ name, read, done }: Pool) {
  return async (): Promise<MetricPoint[]> => {
    const pool = await read?.()
    if (!pool) return []
    const readings: Partial<Record<MetricName, number>> = {
      'app.pool.size': pool.size,
      'app.pool.queue.length': pool.queueLength,
      'app.pool.tasks': done.tasks,
      'app.pool.queue.wait': done.waitMs / 1000,
      'app.pool.run': done.runMs / 1000,
    }
    const attributes = { 'app.pool.name': name }
    const threads = [...pool.threadCpuMicros].map(([id, micros]) => threadCpuTime(`${name}-${id}`, micros))
    return [...Object.entries(readings).map(([metric, value]) => ({ metric, value, attributes })), ...threads]
  }
}

const threadCpuTime = (thread: string, micros: number): MetricPoint => ({
  metric: 'app.thread.cpu.time',
  value: micros / 1e6,
  attributes: { 'thread.name': thread },
})
