import type { RequestContext } from '../../context.ts'
import { addDone, createPool, type Pool, poolReader } from '../../pool.ts'
import { Problem } from '../../problems.ts'
import type { Apm } from '../apm/contract.ts'
import type { Compute, Served, TaskResult, TracedTask } from './contract.ts'

/** Instruments compute: every task becomes a span, and the pool is measured. Neither concern knows the other. */
export function instrumentTasks(compute: Compute, apm: Apm): Compute & { readonly pool: Pool } {
  const pool = createPool('compute', () => compute.readPool())
  apm.watch(poolReader(pool))

  async function record<Answer>(
    context: RequestContext,
    tasks: readonly TracedTask[],
    ask: (tasks: readonly TracedTask[]) => Promise<Answer>,
    resultsOf: (answer: Answer) => readonly TaskResult[],
  ): Promise<Answer> {
    const spans = tasks.map(({ name }) => apm.startWork('task', name, context.span))
    try {
      const traced = tasks.map((task, index) => ({ ...task, traceparent: apm.traceparent(spans[index]) }))
      const answer = await ask(traced)
      for (const [index, result] of resultsOf(answer).entries()) {
        apm.endWork(spans[index], result)
        addDone(pool, result)
      }
      return answer
    } catch (error) {
      for (const span of spans) apm.failWork(span, error as Error)
      throw error
    }
  }

  return {
    ...compute,
    ...(compute.serve && { serve: instrumentServe(compute.serve, pool, apm) }),
    pool,
    run: (context, ...tasks) =>
      record(
        context,
        tasks,
        traced => compute.run(context, ...traced),
        results => results,
      ),
    answer: (context, input, ...tasks) =>
      record(
        context,
        tasks,
        traced => compute.answer(context, input, ...traced),
        ({ results }) => results,
      ),
  }
}

type Serve = NonNullable<Compute['serve']>

const instrumentServe =
  (serve: Serve, pool: Pool, apm: Apm): Serve =>
  (context, input, tasks, settle) => {
    const spans = tasks.map(name => apm.startWork('task', name, context.span))
    serve(context, input, tasks, served => {
      if (served instanceof Problem) for (const span of spans) apm.failWork(span, served)
      else
        spans.forEach((span, index) => {
          const result = served.results[index]
          if (result) {
            apm.endWork(span, result)
            addDone(pool, result)
          } else if (isOfTasks(served.outcome)) apm.failWork(span, served.outcome)
          else apm.drop(span)
        })
      settle(served)
    })
  }

/** Whether an answer failed because of its tasks. If its data did not come, it has needed none of them. */
const isOfTasks = (outcome: Served['outcome']): outcome is Problem =>
  outcome instanceof Problem && !/^(UPSTREAM_|CLIENT_GONE$)/.test(outcome.code)
