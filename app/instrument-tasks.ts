import type { Apm } from './concerns/apm/contract.ts'
import type { Compute } from './concerns/compute/contract.ts'
import type { RequestContext, SpanHandle } from './context.ts'
import { addDone, createPool, type Pool, poolReader, type WorkTimes } from './pool.ts'

/** Records tasks: each has a span, and their times add up to the work of the pool. */
export interface TaskRecorder {
  begin(tasks: readonly { readonly name: string }[], context: RequestContext): SpanHandle[]
  end(spans: readonly SpanHandle[], results: readonly WorkTimes[]): void
  fail(spans: readonly SpanHandle[], error: Error): void
}

export type InstrumentedCompute = Compute & { readonly pool: Pool; readonly recorder: TaskRecorder }

/** Instruments compute: every task becomes a span, and the pool is measured. Neither concern knows the other. */
export function instrumentTasks<Made extends Compute>(compute: Made, apm: Apm): Made & InstrumentedCompute {
  const pool = createPool('compute', () => compute.readPool())
  apm.watch(poolReader(pool))
  const recorder: TaskRecorder = {
    begin: (tasks, { span }) => tasks.map(({ name }) => apm.startWork('task', name, span)),
    end(spans, results) {
      for (const [index, result] of results.entries()) {
        apm.endWork(spans[index], result)
        addDone(pool, result)
      }
    },
    fail(spans, error) {
      for (const span of spans) apm.failWork(span, error)
    },
  }
  return {
    ...compute,
    pool,
    recorder,
    async run(context, ...tasks) {
      const spans = recorder.begin(tasks, context)
      try {
        const traced = tasks.map((task, index) => ({ ...task, traceparent: apm.traceparent(spans[index]) }))
        const results = await compute.run(context, ...traced)
        recorder.end(spans, results)
        return results
      } catch (error) {
        recorder.fail(spans, error as Error)
        throw error
      }
    },
  }
}
